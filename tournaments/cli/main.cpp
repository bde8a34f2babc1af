// The executable croupier.
#include "tournaments/cli/process.h"

int main(int argc, char** argv) {
    return croupier::cli::run_process(argc, argv);
}
