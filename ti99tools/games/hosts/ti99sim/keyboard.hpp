// The keyboard of ti99sim's machine, and where a program is when it looks for keys.

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "question.hpp"

constexpr int NO_KEY = 0xFF;
constexpr uint64_t BETWEEN_SCANS = 600;     // cycles without a read of the keyboard
constexpr int QUIET = 3, QUIET_ELSEWHERE = 12;  // frames between two keys; see Keyboard::rested
constexpr int AT_LAST = 1200;               // frames with a key in vain: any asking line gets it
constexpr int STICKS = 6;                   // the first joystick's column
constexpr int LINGER = 6;                   // frames in which a look at the whole keyboard may follow
constexpr size_t MOST_LOOKS = 100000;       // that are kept until they are told

const Line NOWHERE{0, -1};

// Where the program is at a scan: whether its line looks for keys; whether it waits for one beyond
// doubt, as at a prompt; in which line, with which stack; whether between FOR and NEXT; whether the
// scan is of one half of the keyboard; a sum of what is shown and heard.
struct Asking {
  bool asks, sure;
  Line line;
  uint32_t stack;                           // 0: nothing on it
  bool counts, half;
  uint64_t shown;
};

struct Look {
  uint64_t cycle;
  Line line;
  uint32_t stack;
};

// The keys that are down, as the program's scans find them. See hosts/__init__.py.
class Keyboard {
 public:
  std::set<int> held;                       // keys and sticks that are down whoever looks
  int pressed = 0, spared = 0;              // keys taken; those that other scans came before

  // A key goes down; `always`: not only where the program asks for keys; `keep`: until `release`,
  // else until it is taken.
  void press(const std::vector<int> &places, bool always, bool keep) {
    key_ = {places.begin(), places.end()};
    always_ = always;
    keep_ = keep;
    taken_ = shown_ = spared_ = down_ = whole_ = false;
    wanted_ = true;
    kept_ = lingered_ = 0;
    question_.forget();
  }

  // The key goes up.
  void release() {
    wanted_ = heard_ = false;
    quiet_ = 0;
  }

  // The program has the key, and so has a look at the whole keyboard that follows one at a half.
  bool taken() const { return taken_ && (whole_ || lingered_ >= LINGER); }

  // Between two keys: the program has looked for some frames and found none, at the statement
  // that took the last one, too, if it still looks there.
  bool rested(int last_key) const {
    return last_key == NO_KEY && (heard_ || taker_ == NOWHERE ? quiet_ >= QUIET
                                                              : quiet_ >= QUIET_ELSEWHERE);
  }

  // The program looks at a row. `asks` tells whether the line that runs takes keys.
  template <class Asks>
  bool read(int place, uint64_t cycle, int last_key, Asks asks) {
    if (cycle - last_read_ > BETWEEN_SCANS) {
      last_scan_ = cycle;
      begin(last_key, asks);
    }
    last_read_ = cycle;
    const int column = place / 8;
    if (column != 0 && column != 3 && column < STICKS) look();   // no look for CLEAR or QUIT
    const bool visible = down_ && (taken_ || always_ || open_);
    return held_.count(place) != 0 || (visible && key_.count(place) != 0);
  }

  // A frame is over: whether a scan has found the key, whether one has found none.
  void frame(int last_key) {
    notice(last_key);
    if (taken_ && !whole_ && ++lingered_ >= LINGER) wanted_ = keep_;
    if (looked_ && last_key == NO_KEY) ++(down_ || wanted_ ? kept_ : quiet_);
    looked_ = false;
  }

  // Lines that looked for keys since this was last called.
  std::set<Line> looked_at() { return std::exchange(lines_, {}); }

  // The same in order: when each look was, and the stack that the program had then.
  std::vector<Look> looks() { return std::exchange(told_, {}); }

 private:
  std::set<int> key_, held_;
  bool always_ = false, keep_ = false, spared_ = false;
  bool wanted_ = false, down_ = false, shown_ = false, taken_ = false;
  bool asks_ = false, open_ = false, looks_ = false, looked_ = false, heard_ = false;
  bool half_ = false, whole_ = false;       // the scan is of a half; one of the whole found the key
  int quiet_ = 0, kept_ = 0;                // frames with looks in vain: without a key, with one
  int lingered_ = 0;                        // frames since a scan of a half has found the key
  uint64_t last_read_ = 0, last_scan_ = 0;
  uint32_t stack_ = 0;
  Line here_ = NOWHERE, shown_at_ = NOWHERE, taker_ = NOWHERE;
  Question question_;
  std::set<Line> lines_;                    // lines that looked
  std::vector<Look> told_;

  // A scan begins. Keys go down and up between scans only, so that none sees half of a key.
  template <class Asks>
  void begin(int last_key, Asks asks) {
    notice(last_key);
    looks_ = false;
    const Asking now = asks();
    asks_ = now.asks;
    half_ = now.half;
    here_ = now.line;
    stack_ = now.stack;
    open_ = asks_ && wanted_ && !taken_ && (now.sure || is_question(now) || kept_ >= AT_LAST);
    down_ = wanted_;
    held_ = held;
  }

  bool is_question(const Asking &now) {
    return question_.asks({{now.line, now.stack}, last_scan_, now.shown, now.counts, now.half});
  }

  void look() {
    if (asks_) {
      if (!looks_ && told_.size() < MOST_LOOKS) told_.push_back({last_read_, here_, stack_});
      looked_ = looks_ = true;
      lines_.insert(here_);
      if (here_ == taker_ && !down_) heard_ = true;
    }
    if (!down_ || taken_) return;
    if (always_ || open_) {
      shown_ = true;
      shown_at_ = here_;
    } else if (!spared_) {
      spared_ = true;
      spared++;
    }
  }

  void notice(int last_key) {
    if (!down_ || !shown_ || last_key == NO_KEY) return;
    if (!taken_) {
      taken_ = true;
      pressed++;
      taker_ = shown_at_;
    }
    // A loop may look at a half for the joystick's button, and at the whole for the key.
    if (!half_) {
      whole_ = true;
      wanted_ = keep_;
    }
  }
};
