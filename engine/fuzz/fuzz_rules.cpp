// Random rules on a random state, chosen byte by byte: the engine must do what the model does.
#include "engine/reference/differential.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace croupier::engine::reference;
    const Case random_case = generate_case(std::span(data, size));
    const auto model = [](auto&&... args) { return run_model(args...); };
    const Verdict verdict = judge(random_case, model, run_subject);
    if (verdict.kind == Verdict::Kind::Different) {
        std::cerr << verdict.detail << "\n" << write_case(random_case) << "\n";
        std::abort();
    }
    return 0;
}
