# Installs the build tree to a scratch prefix, then configures, builds and runs consumer/ against it.
# cmake -DBUILD=<build tree> -DSCRATCH=<dir> -DCOMPILER=<c++> -DFLAGS=<compiler flags> -P <this>
function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${out}")
    endif()
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
step(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/prefix")
step(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${SCRATCH}/build"
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=Debug)
step(${CMAKE_COMMAND} --build "${SCRATCH}/build")
step("${SCRATCH}/build/rules")
step("${SCRATCH}/build/tournament")

# What is for tests or for the command line alone is nobody else's.
file(GLOB_RECURSE headers RELATIVE "${SCRATCH}/prefix" "${SCRATCH}/prefix/include/*")
list(FILTER headers INCLUDE REGEX "testing|_test|/cli/|/reference/")
if(headers)
    message(FATAL_ERROR "these are installed: ${headers}")
endif()
file(GLOB libraries RELATIVE "${SCRATCH}/prefix" "${SCRATCH}/prefix/lib*/*.a" "${SCRATCH}/prefix/lib/*/*.a")
list(LENGTH libraries count)
if(NOT count EQUAL 5)
    message(FATAL_ERROR "five libraries, and not: ${libraries}")
endif()

# Headers must come from the prefix alone: nothing of the source tree may be named in the package.
file(GLOB_RECURSE package "${SCRATCH}/prefix/*.cmake")
foreach(file IN LISTS package)
    file(READ "${file}" text)
    string(FIND "${text}" "${BUILD}" found)
    if(NOT found EQUAL -1)
        message(FATAL_ERROR "${file} names the build tree")
    endif()
endforeach()
