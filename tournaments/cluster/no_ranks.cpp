// Built without MPI.
#include "tournaments/cluster/ranks.h"

namespace croupier::tournaments {

bool has_ranks() {
    return false;
}

std::unique_ptr<Ranks> join_ranks() {
    return nullptr;
}

} // namespace croupier::tournaments
