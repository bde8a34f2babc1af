// Machine code as text.
#include "engine/emit/code.h"

#include "engine/emit/emitter.h"

#include <string_view>
#include <utility>

namespace croupier::engine::emit {

namespace {

// An assembler tells of an instruction before it goes on to the next.
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

std::vector<CodeLine> listing(const ir::Module& module, std::size_t function) {
    asmjit::CodeHolder holder;
    LineLogger logger;
    if (holder.init(asmjit::JitRuntime().environment()) != asmjit::kErrorOk) {
        return {};
    }
    holder.setLogger(&logger);
    x86::Compiler compiler(&holder);
    Tables tables(module);
    Emitter emitter(module, module.functions[function], tables, compiler, can_be_wide());
    emitter.show_statements();
    emitter.run();
    if (compiler.runPasses() != asmjit::kErrorOk ||
        holder.attach(&logger.assembler) != asmjit::kErrorOk ||
        compiler.serializeTo(&logger.assembler) != asmjit::kErrorOk) {
        return {};
    }
    return std::move(logger.lines);
}

} // namespace croupier::engine::emit
