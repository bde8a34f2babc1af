# Finds every package; all that are missing are named in one line with the command that installs them.
set(missing_packages "")

# find_package(<name>) for a package that Debian ships as <debian_package>.
macro(croupier_find name debian_package)
    find_package(${name} QUIET)
    if(NOT ${name}_FOUND)
        list(APPEND missing_packages ${debian_package})
    endif()
endmacro()

find_package(Threads REQUIRED)
# It writes machine code for this processor; on others rules are interpreted.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    croupier_find(asmjit libasmjit-dev)
endif()
croupier_find(fmt libfmt-dev)
croupier_find(CLI11 libcli11-dev)
croupier_find(nlohmann_json nlohmann-json3-dev)
croupier_find(TBB libtbb-dev)

# The CSV parser is one header without a package file.
find_path(CROUPIER_CSV_INCLUDE_DIR csv.h PATH_SUFFIXES libfccp)
mark_as_advanced(CROUPIER_CSV_INCLUDE_DIR)
if(CROUPIER_CSV_INCLUDE_DIR)
    add_library(croupier_csv INTERFACE)
    add_library(croupier::csv ALIAS croupier_csv)
    target_include_directories(croupier_csv SYSTEM INTERFACE "${CROUPIER_CSV_INCLUDE_DIR}")
else()
    list(APPEND missing_packages libfccp-dev)
endif()

# The HTTP library of `croupier serve` has no package file for CMake. Debian's is compiled with these
# three, and its classes are laid out by them; it brings libcrypto, which hashes shares of a deal.
find_path(CROUPIER_HTTPLIB_INCLUDE_DIR httplib.h)
find_library(CROUPIER_HTTPLIB_LIBRARY cpp-httplib)
find_library(CROUPIER_CRYPTO_LIBRARY crypto)
mark_as_advanced(CROUPIER_HTTPLIB_INCLUDE_DIR CROUPIER_HTTPLIB_LIBRARY CROUPIER_CRYPTO_LIBRARY)
if(CROUPIER_HTTPLIB_INCLUDE_DIR AND CROUPIER_HTTPLIB_LIBRARY AND CROUPIER_CRYPTO_LIBRARY)
    add_library(croupier_httplib INTERFACE)
    add_library(croupier::httplib ALIAS croupier_httplib)
    target_include_directories(croupier_httplib SYSTEM INTERFACE "${CROUPIER_HTTPLIB_INCLUDE_DIR}")
    target_link_libraries(croupier_httplib INTERFACE "${CROUPIER_HTTPLIB_LIBRARY}"
        "${CROUPIER_CRYPTO_LIBRARY}")
    target_compile_definitions(croupier_httplib INTERFACE
        CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
else()
    list(APPEND missing_packages libcpp-httplib-dev)
endif()

# Optional: with it one run can use several machines. Looked for here, where whatever needs to know whether
# it was found can see it: a folder and what describes the installed package.
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
    message(STATUS "libopenmpi-dev is missing: mpirun will not do, shards will")
endif()

# Optional: with it there is an index of many runs, `croupier db`.
if(NOT CMAKE_CROSSCOMPILING)
    find_package(SQLite3 QUIET)
endif()
if(SQLite3_FOUND)
    set(CROUPIER_SQLITE ON)
else()
    set(CROUPIER_SQLITE OFF)
    message(STATUS "libsqlite3-dev is missing: there will be no command 'croupier db'")
endif()

# Optional: with it programs of CLIPS are run. It is named in full, since -lclips would find the static one.
if(NOT CMAKE_CROSSCOMPILING)
    find_path(CROUPIER_CLIPS_INCLUDE_DIR clips/clips.h)
    find_library(CROUPIER_CLIPS_LIBRARY libclips.so.6)
    mark_as_advanced(CROUPIER_CLIPS_INCLUDE_DIR CROUPIER_CLIPS_LIBRARY)
endif()
if(CROUPIER_CLIPS_INCLUDE_DIR AND CROUPIER_CLIPS_LIBRARY)
    set(CROUPIER_CLIPS ON)
else()
    set(CROUPIER_CLIPS OFF)
    message(STATUS "libclips-dev is missing: there will be no command 'croupier clips'")
endif()

# Optional: with it there is a module for Python. Sanitizers would have to be loaded before the interpreter.
set(CROUPIER_PYTHON OFF)
if(NOT CMAKE_CROSSCOMPILING AND NOT CROUPIER_SANITIZE)
    set(PYBIND11_FINDPYTHON ON)
    # Debian's interpreter has Debian's numpy; pip names its own.
    if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
        set(Python3_EXECUTABLE /usr/bin/python3)
    endif()
    find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
    find_package(pybind11 QUIET)
    if(Python3_FOUND AND pybind11_FOUND)
        set(CROUPIER_PYTHON ON)
    else()
        message(STATUS "pybind11-dev or python3-dev is missing: there will be no module for Python")
    endif()
endif()

if(CROUPIER_TESTS)
    croupier_find(GTest libgtest-dev)
endif()
if(CROUPIER_BENCH)
    croupier_find(benchmark libbenchmark-dev)
endif()

if(missing_packages)
    list(JOIN missing_packages " " missing_packages)
    # A fatal error is wrapped and followed by a call stack, so the line to copy stands before it.
    message(NOTICE
        "missing ${missing_packages}; install with: apt-get install -y ${missing_packages}")
    message(FATAL_ERROR "packages are missing")
endif()
