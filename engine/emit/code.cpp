// Compiles the functions of a module, and owns what comes of it.
#include "engine/emit/code.h"

#include "engine/emit/emitter.h"

#include <utility>

namespace croupier::engine::emit {

namespace {

class FailureNoted : public asmjit::ErrorHandler {
  public:
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
    bool failed = false;
};

class MachineCode : public Code {
  public:
    explicit MachineCode(const ir::Module& module) : functions_(module.functions.size()) {
        Tables tables(module);
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            functions_[i] = compile(module, module.functions[i], tables);
        }
        kept_ = tables.keep();
    }

    [[nodiscard]] Entry entry(std::size_t function) const override { return functions_[function]; }
    [[nodiscard]] std::size_t bytes() const override { return bytes_; }
    [[nodiscard]] bool is_empty() const { return bytes_ == 0; }

  private:
    Entry compile(const ir::Module& module, const ir::Function& function, Tables& tables) {
        FailureNoted failure;
        asmjit::CodeHolder holder;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) {
            return nullptr;
        }
        holder.setErrorHandler(&failure);
        x86::Compiler compiler(&holder);
        Emitter(module, function, tables, compiler).run();
        Entry made = nullptr;
        if (failure.failed || compiler.finalize() != asmjit::kErrorOk ||
            runtime_.add(&made, &holder) != asmjit::kErrorOk) {
            return nullptr;
        }
        bytes_ += holder.codeSize();
        return made;
    }

    asmjit::JitRuntime runtime_;
    std::vector<Entry> functions_;
    Tables::Kept kept_;
    std::size_t bytes_ = 0;
};

} // namespace

bool can_emit() {
    return true;
}

std::shared_ptr<const Code> emit(const ir::Module& module) {
    auto made = std::make_shared<MachineCode>(module);
    return made->is_empty() ? nullptr : made;
}

} // namespace croupier::engine::emit
