# Writes the files of assets/ into a C++ file: cmake -DFOLDER=assets -DOUTPUT=assets.cpp -P embed.cmake
# As numbers, since compilers limit the length of literals.
# In pages the line "<!-- head NAME -->" becomes head.part, with the script NAME.js.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
list(FILTER files EXCLUDE REGEX "[.]part$")
file(READ ${FOLDER}/head.part head)
list(SORT files)
set(arrays "")
set(entries "")
set(types_html "text/html; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(number 0)
foreach(name IN LISTS files)
    file(READ ${FOLDER}/${name} text)
    if(text MATCHES "<!-- head ([a-z]+) -->\n")
        string(REPLACE "@NAME@" "${CMAKE_MATCH_1}" own_head "${head}")
        string(REPLACE "${CMAKE_MATCH_0}" "${own_head}" text "${text}")
    endif()
    file(WRITE ${OUTPUT}.part "${text}")
    file(READ ${OUTPUT}.part bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(REGEX REPLACE ".*[.]" "" ending ${name})
    string(APPEND arrays "const char bytes_${number}[] = {${bytes}};\n")
    string(APPEND entries "    {\"${name}\", \"${types_${ending}}\", {bytes_${number}, sizeof bytes_${number}}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(REMOVE ${OUTPUT}.part)
file(WRITE ${OUTPUT} "// Made by tournaments/serve/embed.cmake.
#include \"tournaments/serve/assets.h\"

namespace croupier::serve {
namespace {
${arrays}
const Asset kAssets[] = {
${entries}};
} // namespace

const Asset* asset(std::string_view name) {
    for (const Asset& each : kAssets)
        if (each.name == name) return &each;
    return nullptr;
}
} // namespace croupier::serve
")
