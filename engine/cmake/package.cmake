# Installs the engine so that find_package(croupier) gives croupier::engine, and tests just that.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/croupier)
install(TARGETS croupier_engine EXPORT croupier-targets)
install(EXPORT croupier-targets NAMESPACE croupier:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/engine
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/croupier
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
    PATTERN cases EXCLUDE PATTERN cmake EXCLUDE PATTERN examples EXCLUDE PATTERN reference EXCLUDE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/croupier-config.cmake.in
    croupier-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(croupier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/croupier-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/croupier-config-version.cmake DESTINATION ${package_dir})

if(CROUPIER_TESTS)
    set(flags "${CMAKE_CXX_FLAGS}")
    if(CROUPIER_SANITIZE)
        string(APPEND flags " -fsanitize=${CROUPIER_SANITIZE}")
    endif()
    add_test(NAME engine.find_package COMMAND ${CMAKE_COMMAND}
        -DBUILD=${PROJECT_BINARY_DIR} -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/consumer
        -DCOMPILER=${CMAKE_CXX_COMPILER} -DFLAGS=${flags}
        -P ${CMAKE_CURRENT_LIST_DIR}/consumer_test.cmake)
    set_tests_properties(engine.find_package PROPERTIES LABELS e2e TIMEOUT 300)

    add_test(NAME engine.missing_packages COMMAND ${CMAKE_COMMAND}
        -S ${PROJECT_SOURCE_DIR} -B ${CMAKE_CURRENT_BINARY_DIR}/missing -G ${CMAKE_GENERATOR}
        -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
    set_tests_properties(engine.missing_packages PROPERTIES LABELS e2e TIMEOUT 300
        PASS_REGULAR_EXPRESSION "missing libfmt-dev libtbb-dev; install with: apt-get install -y libfmt-dev libtbb-dev\n")
endif()
