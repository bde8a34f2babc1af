# Writes a source file that holds the commit that is built, or nothing outside of git; the file is only
# touched when it changes. cmake -DSOURCE=<tree> -DOUTPUT=<file> -P <this>
set(commit "")
# A tree that was unpacked inside of somebody's repository is not of a commit there.
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
    OUTPUT_VARIABLE top ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(NOT failed AND top STREQUAL SOURCE)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by commit.cmake.
#include "tournaments/cli/commit.h"

namespace croupier::cli {

std::string_view commit() {
    return "@commit@";
}

} // namespace croupier::cli
]])
