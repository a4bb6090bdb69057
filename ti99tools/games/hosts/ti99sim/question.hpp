// When a program asks for a key: the rule of computer/console/asking.py, for an emulator.
//
// An emulator cannot see what a program counts. It knows the lines that look for keys between FOR and
// NEXT: such a loop comes to its end without a key.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

using Line = std::pair<int, int>;           // entries of the line number table, index in it
using Spot = std::pair<Line, uint32_t>;     // a line, and the stack that the program has there

constexpr uint64_t FRAME = 50064;
constexpr int QUIET_ROUNDS = 3, LIVELY_ROUNDS = 8;
constexpr uint64_t BRISK = 15 * FRAME, STEADY = 60 * FRAME, LONG = 1200 * FRAME;

struct Sight {
  Spot spot;
  uint64_t cycle;
  uint64_t shown;                           // a sum of what is shown and heard
  bool counts;                              // the line lies between FOR and NEXT
  bool half;                                // the look is at one half of the keyboard
};

class Question {
 public:
  void forget() { rounds_.clear(); }

  // A look that finds no key: whether the program asks for one there.
  bool asks(const Sight &look) {
    if (!look.half) whole_ = look.cycle + 1;
    const auto found = rounds_.find(look.spot);
    if (found == rounds_.end()) {
      rounds_[look.spot] = {look.cycle, look.cycle, look.shown};
      return false;
    }
    Rounds &rounds = found->second;
    const uint64_t before = rounds.cycle;
    rounds.go_round(look);
    if (look.half && whole_ > before) return false;
    if (rounds.quiet >= QUIET_ROUNDS || (rounds.lively >= LIVELY_ROUNDS && rounds.changes)) return true;
    if (look.cycle - rounds.since >= LONG) endless_.insert(look.spot);
    return endless_.count(look.spot) != 0;
  }

 private:
  struct Rounds {
    uint64_t cycle, since, shown;
    int quiet = 0, lively = 0, changes = 0;

    void go_round(const Sight &look) {
      const uint64_t apart = look.cycle - cycle;
      const bool same = look.shown == shown;
      if (apart > STEADY) since = look.cycle;
      if (look.counts || apart > BRISK) {
        lively = changes = 0;
      } else {
        lively++;
        changes += !same;
      }
      quiet = same && !look.counts ? quiet + 1 : 0;
      cycle = look.cycle;
      shown = look.shown;
    }
  };

  std::map<Spot, Rounds> rounds_;
  std::set<Spot> endless_;
  uint64_t whole_ = 0;                      // after the cycle of the last look at the whole keyboard
};
