# cpack -G DEB: the packages croupier, libcroupier-dev and python3-croupier, for the Debian release that they are
# built on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME croupier)
set(CPACK_PACKAGE_VENDOR "The croupier authors")
# A reserved address that reaches nobody: who hands packages on sets his own.
set(CPACK_PACKAGE_CONTACT "The croupier authors <authors@croupier.invalid>"
    CACHE STRING "Who answers for packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # the first line of each description is its summary
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME croupier)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON) # shared libraries and their versions
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "self-play tournaments and benchmarks of games whose rules are data
Rules are patterns over a tree. Agents play thousands of games, and the report
says who wins, how certain that is, and what every rule costs. Card games and
board games are included, with agents for them: rules, search, sampling of
hidden cards, programs that exchange JSON lines.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcroupier-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# The games come with the program; the libraries are static, so who links them needs what they use.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "croupier (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libfmt-dev, libtbb-dev, nlohmann-json3-dev")
if(asmjit_FOUND)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libasmjit-dev")
endif()
if(MPI_CXX_FOUND)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libopenmpi-dev")
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS openmpi-bin) # mpirun
endif()
if(CROUPIER_SQLITE)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libsqlite3-dev")
endif()
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "croupier's libraries for programs in C++
The rule language's engine, the contract of games, agents, results with their
statistics, and tournaments as static libraries, with headers and a package
file for CMake: find_package(croupier COMPONENTS tournaments).")

if(CROUPIER_PYTHON)
    list(APPEND CPACK_COMPONENTS_ALL python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-croupier)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
    math(EXPR next "${Python3_VERSION_MINOR} + 1") # the module is for one version of the interpreter
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
        "croupier (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
    set(CPACK_COMPONENT_PYTHON_DESCRIPTION
        "games whose rules are data, for agents in Python
Games of croupier one by one, or many in step as arrays of numpy; tournaments
with functions of Python on their seats; environments by the interfaces of
PettingZoo, Gymnasium and OpenSpiel.")
endif()
include(CPack)

if(CROUPIER_TESTS)
    add_test(NAME house.debian_package
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/debian_test.sh ${CMAKE_CPACK_COMMAND} ${PROJECT_BINARY_DIR}
            ${CMAKE_CURRENT_BINARY_DIR}/debian ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
    # Not at every turn: it packs all libraries.
    set_tests_properties(house.debian_package PROPERTIES
        LABELS slow TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()
