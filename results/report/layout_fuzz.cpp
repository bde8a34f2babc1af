// Random bytes: no terminal control characters come out, nothing is lost, and wrapping ends.
#include "results/report/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

std::size_t words_bytes(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return c != ' ' && c != '\n'; }));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace croupier::results;
    if (size == 0) return 0;
    const std::size_t width = 2 + data[0] % 40;
    const std::string text = printable(std::string(data + 1, data + size));
    for (const char c : text)
        require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
    require(printable(text) == text);
    for (const LongWords long_words : {LongWords::Keep, LongWords::Break}) {
        std::size_t bytes = 0;
        for (const std::string& line : wrap(text, width, long_words)) {
            bytes += words_bytes(line);
            const bool indented_too_far = line.find_first_not_of(' ') + 2 > width;
            if (long_words == LongWords::Break && !indented_too_far)
                require(display_width(line) <= width);
        }
        require(bytes == words_bytes(text));
    }
    lay_out({{{"left"}, {"right", Align::Right}}, {{text, text}}}, width);
    return 0;
}
