# Writes the style sheet and the script of pages into a C++ file:
#   cmake -DSTYLE=page.css -DSCRIPT=page.js -DOUTPUT=assets.cpp -P embed.cmake
# As numbers, since compilers limit the length of literals.
function(embed name file result)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    set(${result} "const char ${name}_bytes[] = {${bytes}};\n" PARENT_SCOPE)
endfunction()
embed(style ${STYLE} style)
embed(script ${SCRIPT} script)
file(WRITE ${OUTPUT} "// Made by results/html/embed.cmake.
#include \"results/html/assets.h\"

namespace croupier::results {
namespace {
${style}${script}
} // namespace
const std::string_view kPageStyle{style_bytes, sizeof style_bytes};
const std::string_view kPageScript{script_bytes, sizeof script_bytes};
} // namespace croupier::results
")
