// croupier_bench: all suites in one program. Exit code 1 if an answer was wrong.
#include "bench/measure.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

int main(int argc, char** argv) {
    croupier::bench::add_agent_rows();
    croupier::bench::add_belote_rows();
    croupier::bench::add_form_rows();
    croupier::bench::add_life_rows();
    croupier::bench::add_match_rows();
    croupier::bench::add_oldmaid_rows();
    croupier::bench::add_peer_rows();
    croupier::bench::add_playout_rows();
    croupier::bench::add_search_rows();
    croupier::bench::add_state_rows();
    // The counters are a table, unless the command line says otherwise.
    std::string tabular = "--benchmark_counters_tabular=true";
    std::vector<char*> arguments{argv[0], tabular.data()};
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return croupier::bench::any_failure ? 1 : 0;
}
