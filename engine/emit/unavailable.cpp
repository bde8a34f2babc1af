// Where there is nothing to write machine code with.
#include "engine/emit/code.h"

namespace croupier::engine::emit {

bool can_emit() {
    return false;
}

std::shared_ptr<const Code> emit(const ir::Module&, Registers) {
    return nullptr;
}

std::vector<CodeLine> listing(const ir::Module&, std::size_t) {
    return {};
}

} // namespace croupier::engine::emit
