// How much memory there is: what cannot fit is refused before the machine runs out of it.
#pragma once

#include <string>

namespace shardlaw {

/// Bytes that this process can still be given, by the machine and by its control groups; infinite where neither
/// says.
double availableMemory();

/// Fewer bytes are there, or the machine has other worries: asking costs more than most operations on them.
inline constexpr double worthAsking = 0x1p28;

/// Of which others want some as well.
inline constexpr double usableShare = 0.8;

/// Whole MiB, for messages.
long long mebibytes(double bytes);

/// Throws Error where that many bytes do not fit: "`what` needs about 12 MiB, and 9 MiB are free".
void requireMemory(double bytes, const std::string& what);

}  // namespace shardlaw
