# What every target of the project has in common: standard, warnings, sanitizers, tests.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    if(NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE Release)
    endif()
    # A second clone takes from the cache what the first one has compiled: ccache sees paths relative to the
    # root of the tree, and no object file contains that root.
    find_program(CROUPIER_CCACHE ccache)
    mark_as_advanced(CROUPIER_CCACHE)
    if(CROUPIER_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER
            env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 "${CROUPIER_CCACHE}")
    endif()
    add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
endif()

# A program looks for games, agents and the schema below share/croupier of its folder, or of one above it.
# The links are relative, so that a clone can be moved.
set(croupier_data ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/croupier)
file(MAKE_DIRECTORY ${croupier_data})
foreach(original IN ITEMS games agents engine/ruleset.schema.json)
    cmake_path(GET original FILENAME name)
    cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${croupier_data} OUTPUT_VARIABLE up)
    file(CREATE_LINK ${up}/${original} ${croupier_data}/${name} SYMBOLIC)
endforeach()

# Linked privately by our own targets; who uses the installed library gets none of it.
add_library(croupier_warnings INTERFACE)
target_compile_options(croupier_warnings INTERFACE
    -Wall -Wextra -Wpedantic
    # clang takes a local name for a shadow of one in the unnamed namespace of a file compiled together with
    # this one; the preset dev-clang and clang-tidy, which take each file for itself, still say it.
    $<$<NOT:$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${CROUPIER_UNITY}>>>:-Wshadow>
    -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wunused -Wdouble-promotion
    -Wimplicit-fallthrough
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>
    # g++ 12 takes "text" + std::string at -O3 for an overlapping copy (its bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<BOOL:${CROUPIER_WERROR}>:-Werror>)

# Code generation must agree everywhere, so these are not per target.
# The module for Python is a shared object of these libraries. As nothing of them is visible outside, and
# their thread-local variables are few, their code is as fast as without.
if(CROUPIER_PYTHON)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    add_compile_options(-fvisibility=hidden -ftls-model=initial-exec
        $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
endif()
if(CROUPIER_NATIVE)
    add_compile_options(-march=native)
endif()
# Nor may a machine that multiplies and adds in one step, which rounds once less, get other results.
if(CROUPIER_NATIVE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-ffp-contract=off)
endif()
if(CROUPIER_SANITIZE)
    # The four that look at every pointer cost more than all others, and what they find shows under
    # `address` when the pointer is used.
    add_compile_options(-fsanitize=${CROUPIER_SANITIZE} -fno-sanitize=null,alignment,object-size,vptr
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CROUPIER_SANITIZE})
endif()
# g++ collects garbage from a few dozen megabytes on, which is a sixteenth of its work. Without, one lot
# of files takes up to 1.5 gigabytes.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=400000>)
# Debug builds are linked often; where the linker mold is installed, it takes a third of the time.
find_program(CROUPIER_MOLD mold)
mark_as_advanced(CROUPIER_MOLD)
if(CROUPIER_MOLD AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
    add_link_options($<$<CONFIG:Debug>:-fuse-ld=mold>)
endif()
set(CROUPIER_LOT 12 CACHE STRING "How many files are compiled together at most")
mark_as_advanced(CROUPIER_LOT)
# Folders whose files are compiled with no others, and inlined more. g++ lets a unit grow by 40 % through
# inlining and a large function to its double, which all files of a unit share: matching took up to 17 % longer.
set(croupier_alone engine/run engine/state)
set(croupier_inlined $<$<CONFIG:Release>:--param=inline-unit-growth=400>
    $<$<CONFIG:Release>:--param=large-function-growth=400>)
# croupier_unite(<target>): has the compiler read several files as one: what they include, most of its work, is
# read once. Names in unnamed namespaces must then differ within a library.
# CMake's own way includes files by their absolute paths, which no cache of another clone would know.
function(croupier_unite target)
    if(NOT CROUPIER_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(SORT sources)
    set(left "")
    set(alone "")
    set(last "")
    set(count 0)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
        cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${path} is_generated)
        get_source_file_property(is_alone ${source} SKIP_UNITY_BUILD_INCLUSION)
        if(is_generated OR is_alone OR source MATCHES "^\\$<")
            list(APPEND left ${source})
        else()
            cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
            cmake_path(GET path PARENT_PATH folder)
            if(NOT folder STREQUAL last AND (folder IN_LIST croupier_alone OR last IN_LIST croupier_alone))
                math(EXPR count "(${count} + ${CROUPIER_LOT} - 1) / ${CROUPIER_LOT} * ${CROUPIER_LOT}")
            endif()
            set(last ${folder})
            math(EXPR lot "${count} / ${CROUPIER_LOT}")
            math(EXPR count "${count} + 1")
            if(folder IN_LIST croupier_alone)
                list(APPEND alone ${lot})
            endif()
            string(APPEND text_of_${lot} "#include \"${path}\"\n")
        endif()
    endforeach()
    if(count GREATER 0)
        foreach(each RANGE ${lot})
            set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_lots/${each}.cpp)
            file(CONFIGURE OUTPUT ${file} CONTENT "${text_of_${each}}" @ONLY)
            if(each IN_LIST alone AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
                set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${croupier_inlined}")
            endif()
            list(APPEND left ${file})
        endforeach()
    endif()
    set_target_properties(${target} PROPERTIES SOURCES "${left}")
endfunction()

# For what reads and reports: full optimisation would take a build's time and save no run's. With
# sanitizers, any optimisation.
function(croupier_optimise_little target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(CROUPIER_SANITIZE)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
    endif()
endfunction()

# Moves the files that croupier_not_hot() means to an object library of the same settings, which is
# optimised little. (Options of single files would keep these from being united.)
function(croupier_divide target)
    get_target_property(folders ${target} CROUPIER_NOT_HOT)
    if(NOT folders)
        return()
    endif()
    get_target_property(hot ${target} CROUPIER_HOT)
    get_target_property(sources ${target} SOURCES)
    set(moved "")
    foreach(folder IN LISTS folders)
        set(here ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
        foreach(source IN LISTS sources)
            cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
            cmake_path(IS_PREFIX here ${path} is_below)
            cmake_path(RELATIVE_PATH path OUTPUT_VARIABLE name)
            if(is_below AND NOT name IN_LIST hot)
                list(APPEND moved ${source})
            endif()
        endforeach()
    endforeach()
    list(REMOVE_ITEM sources ${moved})
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")

    add_library(${target}_not_hot OBJECT ${moved})
    croupier_optimise_little(${target}_not_hot)
    foreach(property IN ITEMS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
        get_target_property(value ${target} ${property})
        if(value)
            set_target_properties(${target}_not_hot PROPERTIES ${property} "${value}")
        endif()
    endforeach()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_not_hot>)
    croupier_unite(${target}_not_hot)
endfunction()

# croupier_library(<folder> <source>...): the static library of a folder, croupier::<folder>.
function(croupier_library folder)
    add_library(croupier_${folder} STATIC ${ARGN})
    add_library(croupier::${folder} ALIAS croupier_${folder})
    set_target_properties(croupier_${folder} PROPERTIES EXPORT_NAME ${folder})
    target_compile_features(croupier_${folder} PUBLIC cxx_std_20)
    target_include_directories(croupier_${folder} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/croupier>)
    target_link_libraries(croupier_${folder} PRIVATE $<BUILD_INTERFACE:croupier_warnings>)
    # When all of its sources are known.
    cmake_language(EVAL CODE "
        cmake_language(DEFER CALL croupier_divide croupier_${folder})
        cmake_language(DEFER CALL croupier_unite croupier_${folder})")
endfunction()

# croupier_not_hot(<library> <subfolder>... [EXCEPT <file>...]): code that reads and reports and is
# optimised little; except files that are at work in every game.
function(croupier_not_hot library)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCEPT")
    set_property(TARGET croupier_${library} PROPERTY CROUPIER_NOT_HOT ${arg_UNPARSED_ARGUMENTS})
    set_property(TARGET croupier_${library} PROPERTY CROUPIER_HOT ${arg_EXCEPT})
endfunction()

# croupier_executable(<name> <source>...): a program with the project's warnings.
function(croupier_executable name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE croupier_warnings)
endfunction()

# croupier_test(<name> SOURCES <file>... LIBS <target>... [LABELS <label>...] [SLOW <pattern>...] [UNOPTIMISED])
# One GoogleTest program. TEST(lang, include_cycle) in engine/ is the ctest engine.lang.include_cycle.
# UNOPTIMISED where compiling with optimisation takes longer than it saves: not where a test plays or counts.
# Labels: unit (the default), cases, contract, e2e, bench-smoke, slow. Slow tests are left to nightly. They
# may take an hour, since a sanitizer and a busy machine are each a factor of several; all others ten minutes, a
# guard against hanging. SLOW names the slow tests ("suite.name*") of a program that is not slow itself.
# CONTRIBUTING.md tells what each costs.
function(croupier_test name)
    if(NOT CROUPIER_TESTS)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "UNOPTIMISED" "" "SOURCES;LIBS;LABELS;SLOW")
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    set(timeout 600)
    if("slow" IN_LIST arg_LABELS)
        if(NOT CROUPIER_SLOW_TESTS)
            return()
        endif()
        set(timeout 3600)
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBS} croupier_warnings GTest::gtest_main)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    if(arg_UNOPTIMISED)
        target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
    endif()
    croupier_unite(${name})
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
        BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    # Listing the tests is slow where the machine is overloaded; do not fail the build for that.
    include(GoogleTest)
    list(JOIN arg_SLOW ":" slow)
    gtest_discover_tests(${name} TEST_PREFIX "${folder}." TEST_LIST ${name}_tests TEST_FILTER "-${slow}"
        DISCOVERY_TIMEOUT 600 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES TIMEOUT ${timeout})
    if(slow)
        gtest_discover_tests(${name} TEST_PREFIX "${folder}." TEST_LIST ${name}_slow TEST_FILTER "${slow}"
            DISCOVERY_TIMEOUT 600 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES TIMEOUT 3600)
    endif()
    # gtest_discover_tests makes one label of several, so ctest sets them when it reads the list.
    set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
    file(CONFIGURE OUTPUT ${labels_file} @ONLY CONTENT [[
if(@name@_tests)
    set_tests_properties(${@name@_tests} PROPERTIES LABELS "@arg_LABELS@")
endif()
if(@name@_slow)
    set_tests_properties(${@name@_slow} PROPERTIES LABELS "@arg_LABELS@;slow")
endif()
]])
    # The gate runs these with sanitizers: no whole programs, and nothing slow.
    if(NOT arg_LABELS MATCHES "e2e|slow")
        add_dependencies(sanitized ${name})
    endif()
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()

# croupier_fuzz(<name> SOURCES <file>... LIBS <target>...)
# One libFuzzer program, in the fuzz preset only; run it as build/fuzz/<folder>/<name> CORPUS-DIR.
function(croupier_fuzz name)
    if(NOT CROUPIER_FUZZ)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBS} croupier_warnings)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
