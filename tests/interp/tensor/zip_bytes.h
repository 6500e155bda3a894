// Zip archives made from bytes written by hand (PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16).
#pragma once

#include "tests/interp/tensor/bytes.h"

namespace shardlaw::test {

inline std::uint32_t crc32(std::string_view data) {
  std::uint32_t crc = ~0U;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
  }
  return ~crc;
}

/// RFC 1951 without compression: one last block of type 00.
inline std::string deflatedPlainly(const std::string& data) {
  return bytes({1}) + little(data.size(), 2) + little(~data.size(), 2) + data;
}

/// A member as the archive states it, true or not.
struct ZipMember {
  std::string name;
  std::string packed;
  std::string unpacked = packed;
  int method = 0;
  int flags = 0;
  std::int64_t claimedSize = -1;    // where it is not what it unpacks to
  std::int64_t claimedPacked = -1;  // where it is not what is there
  bool wrongSum = false;
  bool zip64 = false;  // sizes in the extra field

  std::uint64_t size() const { return claimedSize >= 0 ? static_cast<std::uint64_t>(claimedSize) : unpacked.size(); }
  std::uint64_t packedSize() const {
    return claimedPacked >= 0 ? static_cast<std::uint64_t>(claimedPacked) : packed.size();
  }
  std::string extra() const {
    return zip64 ? little(1, 2) + little(16, 2) + little(size(), 8) + little(packedSize(), 8) : "";
  }
  /// What the local and the central header share.
  std::string common() const {
    return little(zip64 ? 45 : 20, 2) + little(static_cast<unsigned>(flags), 2) +
           little(static_cast<unsigned>(method), 2) + little(0, 2) + little(33, 2) +
           little(crc32(unpacked) + (wrongSum ? 1 : 0), 4) + little(zip64 ? 0xFFFFFFFF : packedSize(), 4) +
           little(zip64 ? 0xFFFFFFFF : size(), 4) + little(name.size(), 2) + little(extra().size(), 2);
  }
};

inline ZipMember deflated(const std::string& name, const std::string& content) {
  return {name, deflatedPlainly(content), content, 8};
}

inline std::string zipOf(const std::vector<ZipMember>& members) {
  std::string archive, directory;
  for (const ZipMember& member : members) {
    directory += "PK\1\2" + little(20, 2) + member.common() + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + little(archive.size(), 4) + member.name + member.extra();
    archive += "PK\3\4" + member.common() + member.name + member.extra() + member.packed;
  }
  return archive + directory + "PK\5\6" + little(0, 4) + little(members.size(), 2) + little(members.size(), 2) +
         little(directory.size(), 4) + little(archive.size(), 4) + little(0, 2);
}

}  // namespace shardlaw::test
