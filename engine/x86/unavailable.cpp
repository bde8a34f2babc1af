// For builds without the library that writes machine code.
#include "engine/x86/code.h"

namespace croupier::engine::x86 {

bool can_emit() {
    return false;
}

std::shared_ptr<const Code> emit(const form::Module&, Registers) {
    return nullptr;
}

std::vector<CodeLine> listing(const form::Module&, std::size_t) {
    return {};
}

} // namespace croupier::engine::x86
