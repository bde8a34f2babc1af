# Installs the libraries with their headers, so that find_package(croupier) gives croupier::engine and
# the others, and documents; tests just that. What a program or its user needs is the component
# `program`, what who builds against croupier needs is `development`.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/croupier)

# What others may include: these headers, and what they include themselves.
set(public_headers
    engine/api/explain.h engine/api/plan.h engine/api/program.h engine/api/random.h
    engine/api/ruleset.h engine/api/run.h engine/api/state.h engine/api/text.h
    games/drawing/drawer.h games/drawing/text.h games/files.h games/registry.h
    games/ruleset/ruleset_position.h games/ruleset/trial.h
    agents/registry.h agents/game_runner.h agents/random/random_agent.h agents/rules/rule_agent.h
    results/html/page.h results/report/compared.h results/report/report.h
    results/report/standings.h results/statistics/ratings.h results/statistics/stop.h
    results/store/games_file.h results/store/journal.h results/store/run_file.h
    tournaments/replay/recorder.h tournaments/runner/ledger.h tournaments/runner/run_facts.h
    tournaments/runner/runner.h tournaments/spec/specification.h tournaments/tournament.h)
install(CODE "include(\"${CMAKE_CURRENT_LIST_DIR}/install_files.cmake\")
    croupier_install_headers(\"${PROJECT_SOURCE_DIR}\"
        \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/croupier\" ${public_headers})"
    COMPONENT development)

set(parts engine games agents results tournaments)
foreach(part IN LISTS parts)
    install(TARGETS croupier_${part} EXPORT croupier-${part}
        ARCHIVE COMPONENT development)
    install(EXPORT croupier-${part} FILE croupier-${part}-targets.cmake NAMESPACE croupier::
        DESTINATION ${package_dir} COMPONENT development)
endforeach()

set(engine_packages "")
if(asmjit_FOUND)
    set(engine_packages asmjit)
endif()
set(tournaments_packages "fmt nlohmann_json TBB")
if(MPI_CXX_FOUND)
    string(APPEND tournaments_packages " MPI")
endif()
if(CROUPIER_SQLITE)
    string(APPEND tournaments_packages " SQLite3")
endif()
set(installed_games ${CMAKE_INSTALL_DATADIR}/croupier/games)
set(installed_agents ${CMAKE_INSTALL_DATADIR}/croupier/agents)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/croupier-config.cmake.in
    croupier-config.cmake INSTALL_DESTINATION ${package_dir}
    PATH_VARS installed_games installed_agents)
write_basic_package_version_file(croupier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/croupier-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/croupier-config-version.cmake
    DESTINATION ${package_dir} COMPONENT development)

# Editors ask for the schema; documents keep their folders, so that their links lead somewhere.
install(FILES ${PROJECT_SOURCE_DIR}/engine/ruleset.schema.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/croupier)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md
    ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/GLOSSARY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(CODE "include(\"${CMAKE_CURRENT_LIST_DIR}/install_files.cmake\")
    foreach(folder IN ITEMS engine games agents results tournaments)
        croupier_install_tree(\"${PROJECT_SOURCE_DIR}\" \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\"
            \${folder} \"[.]md$\")
    endforeach()
    croupier_install_tree(\"${PROJECT_SOURCE_DIR}\" \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\"
        engine/examples \"[.]json$\")")

include(debian)

if(CROUPIER_TESTS)
    set(flags "${CMAKE_CXX_FLAGS}")
    if(CROUPIER_SANITIZE)
        string(APPEND flags " -fsanitize=${CROUPIER_SANITIZE}")
    endif()
    add_test(NAME engine.find_package COMMAND ${CMAKE_COMMAND}
        -DBUILD=${PROJECT_BINARY_DIR} -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/consumer
        -DCOMPILER=${CMAKE_CXX_COMPILER} -DFLAGS=${flags}
        -P ${CMAKE_CURRENT_LIST_DIR}/consumer_test.cmake)
    set_tests_properties(engine.find_package PROPERTIES LABELS "e2e;slow" TIMEOUT 1800)

    add_test(NAME engine.missing_packages COMMAND ${CMAKE_COMMAND}
        -S ${PROJECT_SOURCE_DIR} -B ${CMAKE_CURRENT_BINARY_DIR}/missing -G ${CMAKE_GENERATOR}
        -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
    set_tests_properties(engine.missing_packages PROPERTIES LABELS "e2e;slow" TIMEOUT 600
        PASS_REGULAR_EXPRESSION "missing libfmt-dev libtbb-dev; install with: apt-get install -y libfmt-dev libtbb-dev\n")
endif()
