// Compiles the functions of a module, and owns what comes of it.
#include "engine/emit/code.h"

#include "engine/emit/emitter.h"

#include <atomic>
#include <mutex>
#include <tuple>

namespace croupier::engine::emit {

namespace {

class FailureNoted : public asmjit::ErrorHandler {
  public:
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
    bool failed = false;
};

// A function is compiled when it is first asked for: most commands run few of them. What it does
// is the same, whoever asks, and when.
class MachineCode : public Code {
  public:
    MachineCode(const ir::Module& module, bool wide)
        : module_(module), wide_(wide), tables_(module), functions_(module.functions.size()) {}

    [[nodiscard]] Entry entry(std::size_t function) const override {
        const Made& known = functions_[function];
        return known.tried.load(std::memory_order_acquire) ? known.entry : make(function);
    }
    [[nodiscard]] std::size_t bytes() const override {
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            std::ignore = entry(i);
        }
        const std::scoped_lock lock(mutex_);
        return bytes_;
    }
    // The system lets a program run what it has written.
    [[nodiscard]] bool can_run() const {
        asmjit::CodeHolder holder;
        Entry made = nullptr;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) {
            return false;
        }
        x86::Assembler code(&holder);
        code.ret();
        return runtime_.add(&made, &holder) == asmjit::kErrorOk;
    }

  private:
    struct Made {
        std::atomic<bool> tried = false;
        Entry entry = nullptr; // null: it is to be interpreted
    };

    // Threads wait for the one that compiles; tables are shared by the functions.
    Entry make(std::size_t function) const {
        const std::scoped_lock lock(mutex_);
        Made& made = functions_[function];
        if (!made.tried.load(std::memory_order_relaxed)) {
            made.entry = compile(module_.functions[function]);
            made.tried.store(true, std::memory_order_release);
        }
        return made.entry;
    }

    Entry compile(const ir::Function& function) const {
        FailureNoted failure;
        asmjit::CodeHolder holder;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) {
            return nullptr;
        }
        holder.setErrorHandler(&failure);
        x86::Compiler compiler(&holder);
        Emitter(module_, function, tables_, compiler, wide_).run();
        Entry made = nullptr;
        if (failure.failed || compiler.finalize() != asmjit::kErrorOk ||
            runtime_.add(&made, &holder) != asmjit::kErrorOk) {
            return nullptr;
        }
        bytes_ += holder.codeSize();
        return made;
    }

    const ir::Module& module_;
    const bool wide_;
    mutable std::mutex mutex_; // over what follows
    mutable asmjit::JitRuntime runtime_;
    mutable Tables tables_;
    mutable std::vector<Made> functions_;
    mutable std::size_t bytes_ = 0;
};

} // namespace

bool can_emit() {
    return true;
}

std::shared_ptr<const Code> emit(const ir::Module& module, Registers registers) {
    const bool wide = registers == Registers::All && can_be_wide();
    auto made = std::make_shared<MachineCode>(module, wide);
    return made->can_run() ? made : nullptr;
}

} // namespace croupier::engine::emit
