// verify --replica FILE --global FILE: two programs in place of a law.
#pragma once

#include <string>

#include "props/programs/judge.h"
#include "props/verify_options.h"

namespace shardlaw {

/// Reads both programs and judges them. Where they differ, they are read once more with literals as the simplest
/// rationals that round to them: where they are equal then, only the rounding of literals is at fault, and the
/// judgement is undecided and says so.
programs::Judgement judgePrograms(const VerifyOptions& options,
                                  const std::function<void(const std::string&)>& progress);

/// The report in the format of the options: text or json.
std::string programsReport(const programs::Judgement& judgement, const VerifyOptions& options, bool colour);

}  // namespace shardlaw
