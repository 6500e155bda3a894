#include "props/report/report.h"
namespace shardlaw {
std::string htmlReport(const Reports&, const ReportOptions&) { return {}; }
}  // namespace shardlaw
