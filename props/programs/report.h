// Reports on two programs.
#pragma once

#include <string>

#include "props/programs/judge.h"

namespace shardlaw::programs {

struct ReportNames {
  std::string replica, global;  ///< the programs' files
  std::int64_t replicas = 1;
  std::uint64_t seed = 1;
};

/// For people. `colour` uses a terminal's escape sequences.
std::string textReport(const Judgement& judgement, const ReportNames& names, bool colour);

/// One object, as props/report/schema.json describes it under "programs".
std::string jsonReport(const Judgement& judgement, const ReportNames& names);

}  // namespace shardlaw::programs
