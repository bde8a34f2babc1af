// The checksum CRC-32C (Castagnoli), of which iSCSI and file systems think well.
#pragma once

#include <cstdint>
#include <string_view>

namespace croupier::results {

// Of `bytes`, or of what gave `before` followed by them.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

} // namespace croupier::results
