// An example of an external agent: in Life, drops beside as many own stones as possible.
#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

using nlohmann::json;

namespace {

// The number of own stones around a cell; "c12" is column c, row 12.
int own_around(const json& board, const std::string& cell, const std::string& me) {
    const int row = std::stoi(cell.substr(1));
    int count = 0;
    for (int columns = -1; columns <= 1; ++columns) {
        for (int rows = -1; rows <= 1; ++rows) {
            const std::string other =
                static_cast<char>(cell[0] + columns) + std::to_string(row + rows);
            const auto stone = board.find(other);
            if (other != cell && stone != board.end() && *stone == me) ++count;
        }
    }
    return count;
}

std::string choose(const json& question, const std::string& me) {
    const json& board = question["view"]["board"];
    std::string best;
    int most = -1;
    for (const std::string move : question["moves"]) {
        const int count = move == "pass" ? 0 : own_around(board, move, me);
        if (count <= most) continue;
        most = count;
        best = move;
    }
    return best;
}

} // namespace

int main() {
    std::string me;
    for (std::string line; std::getline(std::cin, line);) {
        const json message = json::parse(line);
        const std::string type = message["type"];
        if (type == "hello")
            std::cout << json{{"type", "hello"}, {"protocol", 1}, {"name", "stones"}} << std::endl;
        else if (type == "game")
            me = message["me"];
        else if (type == "choose")
            std::cout << json{{"type", "move"}, {"move", choose(message, me)}} << std::endl;
        else if (type == "quit")
            return 0;
    }
    return 0;
}
