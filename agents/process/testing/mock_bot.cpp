// A program that misbehaves on request: mock_bot HOW [AFTER-SO-MANY-GOOD-MOVES]. For tests.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

// The value after the key in a line of JSON, up to the next comma, bracket or brace.
std::string value_of(const std::string& line, const std::string& key) {
    const std::size_t at = line.find("\"" + key + "\":");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + key.size() + 3;
    return line.substr(begin, line.find_first_of(",]}", begin) - begin);
}

// In Life: counts the stones with that mark.
int stones(const std::string& question, const std::string& mark) {
    int count = 0;
    for (std::size_t at = question.find("\"board\""); at != std::string::npos;
         at = question.find(":" + mark, at + 1))
        ++count;
    return count;
}

// The move at the index drawn by the request.
std::string drawn_move(const std::string& question) {
    std::vector<std::string> moves;
    const std::size_t end = question.find(']');
    for (std::size_t at = question.find('[') + 2; at < end; at = question.find('"', at) + 3)
        moves.push_back(question.substr(at, question.find('"', at) - at));
    return moves[std::stoull(value_of(question, "random")) % moves.size()];
}

// The first move that a request lists.
std::string first_move(const std::string& question) {
    const std::string list = "\"moves\":[\"";
    const std::size_t begin = question.find(list) + list.size();
    return question.substr(begin, question.find('"', begin) - begin);
}

void say(const std::string& line) {
    std::cout << line << std::endl;
}

[[noreturn]] void sleep_forever() {
    for (;;)
        ::pause();
}

void misbehave(const std::string& how) {
    if (how == "crash") std::raise(SIGTERM); // sanitizers turn SIGSEGV into an exit
    if (how == "exit") std::exit(3);
    if (how == "orphan") { // a child keeps the lines, and the parent exits
        if (::fork() == 0) sleep_forever();
        std::exit(5);
    }
    if (how == "parricide") {
        ::kill(::getppid(), SIGKILL);
        sleep_forever();
    }
    if (how == "resign") say(R"({"type":"move","resign":true})");
    if (how == "stall") sleep_forever();
    if (how == "illegal") say(R"({"type":"move","move":"nowhere"})");
    if (how == "garbage") say("what?");
    if (how == "bytes") say("\xff" + std::string(76, 'a') + "\xc3\xa9"); // 79 bytes
    if (how == "other") say(R"({"type":"hello","protocol":1})");
    if (how == "close") {
        ::close(STDOUT_FILENO);
        sleep_forever();
    }
    if (how == "flood")
        for (const std::string piece(65536, 'x');;)
            std::cout << piece;
    if (how == "errors") {
        std::cerr << "first\nsomething is wrong\n";
        std::exit(4);
    }
    if (how == "error-flood")
        for (const std::string piece(65536, 'x');;)
            std::cerr << piece;
}

// The number of open descriptors besides the standard ones.
int open_descriptors() {
    int count = 0;
    for (int descriptor = 3; descriptor < 256; ++descriptor)
        count += ::fcntl(descriptor, F_GETFD) >= 0 ? 1 : 0;
    return count;
}

} // namespace

int main(int argc, char** argv) {
    const std::string how = argc > 1 ? argv[1] : "good";
    int good = argc > 2 ? std::atoi(argv[2]) : 0;
    if (how == "exit-at-start") return 7;
    if (how == "stall-at-start") sleep_forever();
    if (how == "child" && ::fork() == 0) sleep_forever(); // would outlive a careless harness
    if ((how == "session" || how == "parricide") && ::fork() == 0) { // and in another group
        ::setsid();
        if (::fork() != 0) return 0;
        sleep_forever();
    }
    if (how == "deaf") std::signal(SIGTERM, SIG_IGN);
    std::string me;
    std::string limits;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find(R"("type":"hello")") != std::string::npos) {
            if (how == "descriptors" && open_descriptors() > 0) return 9;
            if (how == "group" && ::getpgrp() != ::getpid() && ::getpgrp() != ::getppid()) return 9;
            say(how == "protocol" ? R"({"type":"hello","protocol":2})"
                                  : R"({"type":"hello","protocol":1})");
        } else if (line.find(R"("type":"game")") != std::string::npos) {
            me = value_of(line, "me");
            limits = line.substr(line.find("\"limits\""));
            limits.erase(std::remove(limits.begin(), limits.end(), '"'), limits.end());
        } else if (line.find(R"("type":"choose")") != std::string::npos) {
            if (how == "behind") { // plays at random, and exits when it has fewer stones
                if (stones(line, me) < stones(line, me == "\"B\"" ? "\"W\"" : "\"B\"")) return 6;
                say(R"({"type":"move","move":")" + drawn_move(line) + R"("})");
                continue;
            }
            if (how == "limits" && good <= 1) { // prints what it received
                std::cerr << limits << " " << value_of(line, "clock_ms") << " "
                          << value_of(line, "increment_ms") << " " << value_of(line, "move_ms")
                          << std::endl;
                return 8;
            }
            if (good-- <= 0) misbehave(how);
            if (how == "draw") {
                say(R"({"type":"move","draw":true,"move":")" + first_move(line) + R"("})");
                continue;
            }
            // By the clock of a test that counts the bytes.
            if (how == "slow" && argc > 3) std::ofstream(argv[3], std::ios::app) << '.';
            const std::string answer = R"({"type":"move","move":")" + first_move(line) + R"("})";
            say(how == "twice" ? answer + "\n" + answer : answer);
        }
    }
    return 0;
}
