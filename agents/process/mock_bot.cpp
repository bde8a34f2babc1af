// A program that misbehaves as it is told: mock_bot HOW [AFTER-SO-MANY-GOOD-MOVES]. For tests.
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

namespace {

// The first of the moves that a question lists.
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
    if (how == "crash") std::raise(SIGTERM); // sanitizers make an exit of SIGSEGV
    if (how == "exit") std::exit(3);
    if (how == "stall") sleep_forever();
    if (how == "illegal") say(R"({"type":"move","move":"nowhere"})");
    if (how == "garbage") say("what?");
    if (how == "other") say(R"({"type":"hello","protocol":1})");
    if (how == "close") {
        ::close(STDOUT_FILENO);
        sleep_forever();
    }
    if (how == "flood") {
        for (const std::string piece(65536, 'x');;)
            std::cout << piece;
    }
    if (how == "errors") {
        std::cerr << "first\nsomething is wrong\n";
        std::exit(4);
    }
    if (how == "error-flood") {
        for (const std::string piece(65536, 'x');;)
            std::cerr << piece;
    }
}

// How many descriptors are open besides the standard ones.
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
    if (how == "child" && ::fork() == 0) sleep_forever(); // which would outlive a careless harness
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find(R"("type":"hello")") != std::string::npos) {
            if (how == "descriptors" && open_descriptors() > 0) return 9;
            if (how == "group" && ::getpgrp() != ::getpid() && ::getpgrp() != ::getppid()) return 9;
            say(how == "protocol" ? R"({"type":"hello","protocol":2})"
                                  : R"({"type":"hello","protocol":1})");
        } else if (line.find(R"("type":"choose")") != std::string::npos) {
            if (good-- <= 0) misbehave(how);
            if (how == "slow") ::usleep(20'000);
            const std::string answer = R"({"type":"move","move":")" + first_move(line) + R"("})";
            say(how == "twice" ? answer + "\n" + answer : answer);
        }
    }
    return 0;
}
