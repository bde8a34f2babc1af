// What each bench_*.cpp adds to the program.
#pragma once

namespace croupier::bench {

void add_agent_rows();
void add_belote_rows();
void add_form_rows();
void add_life_rows();
void add_match_rows();
void add_oldmaid_rows();
void add_playout_rows();
void add_search_rows();
void add_state_rows();

} // namespace croupier::bench
