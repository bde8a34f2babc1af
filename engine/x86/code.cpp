// Compiles the functions of a module, and owns their code.
#include "engine/x86/code.h"

#include "engine/x86/statements.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

namespace croupier::engine::x86 {

namespace {

// A function as machine code: how it begins and ends.

// The weight of registers that hold what most instructions need.
constexpr std::uint32_t kMaxWeight = 255;

bool has_wide_sets(const Context& c) {
    return std::any_of(c.function.nodes.begin(), c.function.nodes.end(), [&](const Node& node) {
        return node.type.kind == TypeKind::Set && is_wide(c, node.type.list);
    });
}

// Writes the whole function.
void write(Context& c) {
    asmjit::FuncNode* const made = c.out.addFunc(asmjit::FuncSignatureT<std::int32_t, Frame*>());
    c.frame = c.out.newIntPtr("frame");
    c.block = c.out.newIntPtr("block");
    c.slots = c.out.newIntPtr("slots");
    made->setArg(0, c.frame);
    if (c.uses_wide && has_wide_sets(c)) {
        made->frame().setAvxEnabled();
        made->frame().setAvx512Enabled();
        made->frame().setAvxCleanup();
    }
    // No other value takes their registers.
    c.out.virtRegByReg(c.block)->setWeight(kMaxWeight);
    c.out.virtRegByReg(c.frame)->setWeight(kMaxWeight);
    c.thrown = c.out.newLabel();
    c.reload();
    c.out.mov(c.slots, c.in_frame(offsetof(Frame, slots)));
    c.out.mov(c.in_frame(offsetof(Frame, stack)), x86::rsp);
    block(c, c.function.body);
    CROUPIER_PROBE(c.emission.end());
    const Gp answer = c.new32();
    c.out.mov(answer, kGoesOn);
    c.out.ret(answer);
    c.pool = &c.rare;
    while (!c.asides.empty()) {
        for (const auto& [label, write] : std::exchange(c.asides, {})) {
            c.rare.reset();
            c.out.bind(label);
            write();
        }
    }
    c.go_to({});
    c.out.bind(c.thrown);
    c.out.mov(answer, kThrown);
    c.out.ret(answer);
    c.out.endFunc();
}

// Encodes what a compiler has written, and reads the numbers in its comments as origins.
class Encoder : public x86::Assembler {
  public:
    Encoder(asmjit::CodeHolder& holder, Origins& origins)
        : x86::Assembler(&holder), origins_(origins) {}

    asmjit::Error comment(const char* number, std::size_t) override {
        origins_.begin(static_cast<std::uint32_t>(offset()),
                       static_cast<std::uint32_t>(std::strtoul(number, nullptr, 10)));
        return asmjit::kErrorOk;
    }

  private:
    Origins& origins_;
};

class FailureNoted : public asmjit::ErrorHandler {
  public:
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
    bool failed = false;
};

// A function is compiled when it is first needed, since most commands run few of them. All threads
// get the same code.
class MachineCode : public Code {
  public:
    MachineCode(const form::Module& module, Registers allowed)
        : module_(module), allowed_(allowed), tables_(module), functions_(module.functions.size()) {
    }

    [[nodiscard]] Entry entry(std::size_t function) const override {
        const Made& known = functions_[function];
        return known.tried.load(std::memory_order_acquire) ? known.entry : make(function);
    }
    [[nodiscard]] std::size_t bytes() const override {
        for (std::size_t i = 0; i < functions_.size(); ++i)
            std::ignore = entry(i);
        const std::scoped_lock lock(mutex_);
        return bytes_;
    }
    // A function that is being compiled is either missing or complete.
    [[nodiscard]] std::optional<CodePlace> place(std::uintptr_t address) const override {
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const Made& made = functions_[i];
            if (!made.tried.load(std::memory_order_acquire)) continue;
            const auto begin = reinterpret_cast<std::uintptr_t>(made.entry);
            if (address >= begin && address - begin < made.origins.size()) {
                const auto offset = static_cast<std::uint32_t>(address - begin);
                return CodePlace{i, offset, made.origins.at(offset)};
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<CodePiece> pieces() const override {
        std::vector<CodePiece> found;
        for (const Made& made : functions_) {
            if (made.tried.load(std::memory_order_acquire) && made.entry != nullptr) {
                const auto first = reinterpret_cast<std::uintptr_t>(made.entry);
                made.origins.each(
                    [&](std::uint32_t offset, std::uint32_t bytes, const Origin* origin) {
                        found.push_back({first + offset, bytes, origin});
                    });
            }
        }
        return found;
    }
    // Whether the system lets a program run code that it wrote.
    [[nodiscard]] bool can_run() const {
        asmjit::CodeHolder holder;
        Entry made = nullptr;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return false;
        x86::Assembler code(&holder);
        code.ret();
        return runtime_.add(&made, &holder) == asmjit::kErrorOk;
    }

  private:
    struct Made {
        std::atomic<bool> tried = false;
        Entry entry = nullptr; // null if it must be interpreted
        Origins origins;
    };

    // Threads wait for the one that compiles, since functions share tables.
    Entry make(std::size_t function) const {
        const std::scoped_lock lock(mutex_);
        Made& made = functions_[function];
        if (!made.tried.load(std::memory_order_relaxed)) {
            made.entry = compile(module_.functions[function], made.origins);
            made.tried.store(true, std::memory_order_release);
        }
        return made.entry;
    }

    Entry compile(const form::Function& function, Origins& origins) const {
        FailureNoted failure;
        asmjit::CodeHolder holder;
        if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return nullptr;
        holder.setErrorHandler(&failure);
        x86::Compiler compiler(&holder);
        Context c(module_, function, tables_, compiler, allowed_);
        c.origins = &origins;
        write(c);
        Entry made = nullptr;
        if (failure.failed || compiler.runPasses() != asmjit::kErrorOk) return nullptr;
        Encoder encoder(holder, origins);
        encoder.addEncodingOptions(compiler.encodingOptions());
        encoder.addDiagnosticOptions(compiler.diagnosticOptions());
        if (compiler.serializeTo(&encoder) != asmjit::kErrorOk || failure.failed ||
            runtime_.add(&made, &holder) != asmjit::kErrorOk)
            return nullptr;
        origins.end(static_cast<std::uint32_t>(holder.codeSize()));
        bytes_ += holder.codeSize();
        return made;
    }

    const form::Module& module_;
    const Registers allowed_;
    mutable std::mutex mutex_; // guards what follows
    mutable asmjit::JitRuntime runtime_;
    mutable Tables tables_;
    mutable std::vector<Made> functions_;
    mutable std::size_t bytes_ = 0;
};

// Machine code as text.

// An assembler logs an instruction before it advances to the next.
class LineLogger : public asmjit::Logger {
  public:
    LineLogger() { setIndentation(asmjit::FormatIndentationGroup::kCode, 4); }

    asmjit::Error _log(const char* data, std::size_t size) noexcept override {
        for (const char c :
             size == SIZE_MAX ? std::string_view(data) : std::string_view(data, size)) {
            if (c == '\n') {
                lines.push_back({static_cast<std::uint32_t>(assembler.offset()), std::move(text_)});
                text_.clear();
            } else {
                text_ += c;
            }
        }
        return asmjit::kErrorOk;
    }

    x86::Assembler assembler;
    std::vector<CodeLine> lines;

  private:
    std::string text_;
};

} // namespace

bool can_emit() {
    return true;
}

std::shared_ptr<const Code> emit(const form::Module& module, Registers registers) {
    auto made = std::make_shared<MachineCode>(module, registers);
    return made->can_run() ? made : nullptr;
}

std::vector<CodeLine> listing(const form::Module& module, std::size_t function) {
    asmjit::CodeHolder holder;
    LineLogger logger;
    if (holder.init(asmjit::JitRuntime().environment()) != asmjit::kErrorOk) return {};
    holder.setLogger(&logger);
    x86::Compiler compiler(&holder);
    Tables tables(module);
    Context c(module, module.functions[function], tables, compiler, Registers::All);
    c.shows = true;
    write(c);
    if (compiler.runPasses() != asmjit::kErrorOk ||
        holder.attach(&logger.assembler) != asmjit::kErrorOk ||
        compiler.serializeTo(&logger.assembler) != asmjit::kErrorOk)
        return {};
    return std::move(logger.lines);
}

} // namespace croupier::engine::x86
