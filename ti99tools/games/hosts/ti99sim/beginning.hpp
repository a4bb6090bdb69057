// When the program on the disk begins, and what the sound chip gets from then on.
//
// Somebody tells it, at each chance, whether a line of a program is being executed: a look at the end
// of a frame alone would miss a program that is over within a frame. The sounds of the console and of
// Extended BASIC as it starts come before the first line, and are none of the program's.

#pragma once

#include <cstdint>
#include <string>

class Beginning {
 public:
  explicit Beginning(uint64_t cycles_a_frame) : cycles_a_frame_(cycles_a_frame) {}

  // Extended BASIC starts: what has been until now was another program.
  void forget() {
    begun_ = false;
    sound_.clear();
  }

  // A chance to see a line, at a cycle since power-on.
  void look(bool line, uint64_t cycle) {
    if (begun_ || !line) return;
    begun_ = true;
    at_ = cycle;
  }

  // The sound chip gets a byte; it is a chance to see a line, too.
  void byte(uint8_t data, bool line, uint64_t cycle) {
    look(line, cycle);
    if (begun_) sound_ += static_cast<char>(data);
  }

  bool begun() const { return begun_; }
  const std::string &sound() const { return sound_; }

  // At the end of a frame: whether it is the one nearest to some hundredths of a frame after the
  // program's beginning, or a later one.
  bool due(uint64_t hundredths, uint64_t cycle) const {
    return begun_ && 100 * (cycle - at_) + 50 * cycles_a_frame_ >= hundredths * cycles_a_frame_;
  }

 private:
  uint64_t cycles_a_frame_, at_ = 0;
  bool begun_ = false;
  std::string sound_;
};
