#include "props/verify_programs.h"

#include <fmt/format.h>

#include <cmath>

#include "interp/stablehlo/reader.h"
#include "props/programs/report.h"

namespace shardlaw {

programs::Judgement judgePrograms(const VerifyOptions& options,
                                  const std::function<void(const std::string&)>& progress) {
  const ProgramOptions& of = options.programs;
  programs::JudgeOptions how;
  how.pairing = {of.replicas, {of.shard, of.replicate}, of.ignore};
  how.seed = options.seed;
  how.bits = options.bits;
  how.progress = progress;
  const auto judged = [&](bool simplest) {
    stablehlo::ReadOptions read;
    read.simplest = simplest;
    return programs::judge(stablehlo::readModule(of.replica, read), stablehlo::readModule(of.global, read), how);
  };
  programs::Judgement judgement = judged(of.simplest);
  if (judgement.differences.empty() || of.simplest) return judgement;
  how.confirms = false;
  const programs::Judgement simplest = judged(true);
  if (simplest.outcome == programs::Outcome::holds) {
    judgement.outcome = programs::Outcome::undecided;
    judgement.reason = fmt::format(
        "the programs differ exactly, but only the rounding of f32 literals is at fault: with --literals simplest they "
        "are equal, false pass below 2^{:.0f}",
        std::ceil(simplest.falsePassLog2));
  } else if (judgement.outcome == programs::Outcome::undecided) {
    judgement.reason += "; with --literals simplest they differ as well";
  }
  return judgement;
}

std::string programsReport(const programs::Judgement& judgement, const VerifyOptions& options, bool colour) {
  const ProgramOptions& of = options.programs;
  const programs::ReportNames names{of.replica, of.global, of.replicas, options.seed};
  return options.format == Format::json ? programs::jsonReport(judgement, names)
                                        : programs::textReport(judgement, names, colour);
}

}  // namespace shardlaw
