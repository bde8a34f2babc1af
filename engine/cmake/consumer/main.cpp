// Compiles, links and runs against the installed headers and library only.
#include <engine/text/nearest.h>

#include <string>
#include <vector>

int main() {
    const std::vector<std::string> known{"salience", "condition"};
    return croupier::engine::nearest("saleince", known) == "salience" ? 0 : 1;
}
