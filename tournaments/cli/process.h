// The command line as a process: real streams, environment, signals, last words.
#pragma once

namespace croupier::cli {

// All of main(). Returns the exit code whatever happens.
int run_process(int argc, char** argv) noexcept;

} // namespace croupier::cli
