// Machine code as text.
#include "engine/emit/code.h"

#include "engine/emit/emitter.h"

namespace croupier::engine::emit {

std::string listing(const ir::Module& module, std::size_t function) {
    asmjit::CodeHolder holder;
    asmjit::StringLogger logger;
    if (holder.init(asmjit::JitRuntime().environment()) != asmjit::kErrorOk) {
        return "";
    }
    logger.setIndentation(asmjit::FormatIndentationGroup::kCode, 4);
    holder.setLogger(&logger);
    x86::Compiler compiler(&holder);
    Tables tables(module);
    Emitter emitter(module, module.functions[function], tables, compiler, can_be_wide());
    emitter.show_statements();
    emitter.run();
    if (compiler.finalize() != asmjit::kErrorOk) {
        return "";
    }
    return logger.data();
}

} // namespace croupier::engine::emit
