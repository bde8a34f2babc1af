// checksums: whether the files of a run that has come to its end are as they were written.
#pragma once

#include "results/store/file.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace croupier::results {

// The checksum CRC-32C (Castagnoli), of which iSCSI and file systems think well.

// Of `bytes`, or of what gave `before` followed by them.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

inline constexpr std::string_view kChecksumsFile = "checksums";

// A line for every 64 lines of these files: the file, its lines so far, CRC-32C of these 64.
Failure write_checksums(const std::string& folder, std::span<const std::string_view> names);

// The failure names the first file that is not as it was, and between which of its lines; files
// that the folder's checksums do not name, and a file of them that is gone, are left alone.
Failure check_checksums(const std::string& folder);

} // namespace croupier::results
