// Any bytes as a CLIPS program: read, run for a while, explained. Nothing may crash or hang.
#include "engine/clips/explain.h"
#include "engine/clips/session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace clips = croupier::engine::clips;
    std::size_t printed = 0;
    clips::Session session([&](std::string_view text) { printed += text.size(); }, 64 << 20);
    int asked = 0;
    session.set_interrupted([&] { return ++asked > 50; });
    try {
        session.load("fuzz.clp", std::string(reinterpret_cast<const char*>(data), size), true);
        if (!session.exit_code()) {
            session.reset();
            session.run(200);
        }
        clips::lint(session);
        for (const clips::Rule& rule : session.rules()) {
            if (rule.last != nullptr) printed += clips::why(session, rule.name->text).size();
        }
    } catch (const clips::MemoryLimit&) {
        return 0;
    }
    return 0;
}
