// Plays a job on ti99sim's machine without window or sound: boots it, presses keys, reads the
// screen from video memory, and prints lines that begin with "@" for the Python side.
// hosts/driver.py has the form of jobs and of these lines, hosts/__init__.py how keys are pressed.
// hosts/mame/drive.lua does the same inside MAME; both go on frame by frame.
//
// It is compiled by its user against a copy of ti99sim's sources; see `build` in __init__.py.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "cartridge.hpp"
#include "ti-disk.hpp"
#include "ti994a.hpp"
#include "tms9900.hpp"
#include "tms9918a.hpp"
#include "itms9919.hpp"

#include "beginning.hpp"
#include "keyboard.hpp"
#include "orders.hpp"

// Asked for by ti99sim's option.cpp, which nobody calls here.
void PrintUsage() {}

namespace {

constexpr int CYCLES_A_FRAME = 50064;
constexpr int LOOK = 4;                     // frames between looks at the screen
constexpr int LAST_KEY = 0xC8;              // scratchpad cells, at 8300h and on
constexpr int UNIT = 0x74;                  // the unit that the console's next scan is for
constexpr int LINE = 0x2E, TABLE_START = 0x30, TABLE_END = 0x32, RUNNING = 0x44;
constexpr int STACK_BASE = 0x24, STACK_TOP = 0x6E;
constexpr int EXPANSION = 0xA000;
constexpr int SCREEN_SIZE = 768, ROW = 32, VIDEO_SIZE = 0x4000, REGISTERS = 8;
constexpr int CURSOR = 0x1E;
constexpr int PATTERNS = 0x3F0, PATTERNS_END = 0x780, COLORS = 0x800, COLORS_END = 0x820;
constexpr int SPRITES = 0x300, MOTION = 0x780, MOTION_END = 0x7F0;
constexpr int LOOK_LIVE = 6;                // the same for somebody at the machine
constexpr int AT_WORK = 20;                 // frames between looks for a key: the program works
constexpr int RESTLESS = 1200;              // frames of rest after which it may work, or draw
constexpr int AT_PROMPT = 600;              // frames without an asking line before a prompt is one
constexpr int FIRST_ROW = 3, ROWS = 8, COLUMN_BIT = 18, COLUMN_BITS = 3, ALPHA_BIT = 21;
constexpr int ALPHA_ROW = 4;                // CRU bits of the TMS9901

// What the Python side reads.
void say(const std::string &text) { printf("@%s\n", text.c_str()); }

// The machine, which calls the player after each frame.
class Machine : public cTI994A {
 public:
  Machine(iCartridge *console, cTMS9918A *vdp, Job &job)
      : cBaseObject("Machine"), cTI994A(console, vdp), job_(job), vdp_(vdp), own_(job.orders.size()) {
    m_RetraceInterval = CYCLES_A_FRAME;
    for (const Order &order : job.orders) booted_ = booted_ && order.verb != "mark";
  }

  // Where disks are changed, and the file of the one in the first drive.
  void use(cDiskDevice *drives, const std::string &disk) { drives_ = drives, disk_ = disk; }

 protected:
  bool VideoRetrace() override {
    const bool result = cTI994A::VideoRetrace();
    if (!over_) frame();
    return result;
  }

  int ReadCRU(ADDRESS bit) override {
    const int value = cTI994A::ReadCRU(bit);
    const int row = bit - FIRST_ROW;
    if (row < 0 || row >= ROWS || timer_) return value;
    if (row == ALPHA_ROW && !alpha_line_) return job_.alpha ? 0 : 1;
    auto asks = [this] { return asking(); };
    const int place = 8 * column_ + row;
    return keyboard_.read(place, now(), pad(LAST_KEY), asks) ? 0 : 1;
  }

  void WriteCRU(ADDRESS bit, UINT16 value) override {
    cTI994A::WriteCRU(bit, value);
    const int at = bit - COLUMN_BIT;
    if (bit == 0) timer_ = value != 0;
    if (at >= 0 && at < COLUMN_BITS) column_ = (column_ & ~(1 << at)) | (value ? 1 << at : 0);
    if (bit == ALPHA_BIT) alpha_line_ = value != 0;
  }

  UINT8 SoundBreakPoint(ADDRESS address, UINT8 data) override {
    beginning_.byte(data, runs(), now());
    sounds_++;
    return cTI994A::SoundBreakPoint(address, data);
  }

  // The console reads GROM all the time: the best chance to see the first line when it comes.
  UINT8 GromReadBreakPoint(ADDRESS address, UINT8 data) override {
    if (!beginning_.begun()) beginning_.look(runs(), now());
    return cTI994A::GromReadBreakPoint(address, data);
  }

 private:
  Job &job_;
  cTMS9918A *vdp_;
  cDiskDevice *drives_ = nullptr;
  std::string disk_;
  Keyboard keyboard_;
  Beginning beginning_{CYCLES_A_FRAME};
  bool over_ = false, timer_ = false, alpha_line_ = true, booted_ = true;
  int column_ = 0;
  int frames_ = 0, astray_ = 0;
  uint64_t cycles_ = 0, first_cycle_ = 0;
  uint32_t last_clock_ = 0;
  std::map<int, std::set<int>> lines_;
  std::string before_, drawn_, plain_ = std::string(SCREEN_SIZE, ' ');
  size_t at_ = 0;                           // the order that is being done
  int phase_ = 0, since_ = 0, count_ = 0, looked_ = 0, busy_ = 0;
  const size_t own_;                        // orders of the job itself
  int patience_ = 0;                        // frames for an order, if it is not 0
  uint64_t sounds_ = 0;                     // bytes that the sound chip was sent
  std::string seen_;                        // what `watch` has told last

  int pad(int at) const { return m_Scratchpad[at]; }
  int word(int at) const { return pad(at) * 256 + pad(at + 1); }

  // The line that is being executed: 832Eh points into the line number table.
  Line where() const {
    const int at = word(LINE), first = word(TABLE_START), last = word(TABLE_END);
    const int entries = (last + 1 - first) / 4;
    if (first < EXPANSION || entries < 1 || at < first || at > last) return NOWHERE;
    return {entries, (at - first) / 4};
  }

  // Whether a program of the disk is in its pre-scan, or runs.
  bool runs() const {
    const Line line = where();
    return line != NOWHERE && pad(RUNNING) && (job_.known.empty() || job_.known.count(line.first));
  }

  // Cycles since power-on.
  uint64_t now() const { return cycles_ + static_cast<uint32_t>(m_CPU->GetClocks() - last_clock_); }

  // A sum of the stack in video memory, where GOSUB, FOR and CALL keep where they return to.
  uint32_t stack() const {
    uint32_t sum = 0;
    for (int at = word(STACK_BASE); at < word(STACK_TOP) && at < VIDEO_SIZE; at++)
      sum = ((sum ? sum : 2166136261u) ^ m_VideoMemory[at]) * 16777619u;
    return sum;
  }

  // Whether a key that is pressed now is the program's, and not lost to another statement.
  Asking asking() const {
    const int unit = pad(UNIT);
    Asking found{true, true, where(), stack(), false, unit == 1 || unit == 2, 0};
    if (job_.cell) {
      found.asks = !booted_ || word(job_.cell & 0xFF) != 0;
    } else if (found.line != NOWHERE) {
      found.asks = !job_.known.count(found.line.first) || job_.asking.count(found.line);
      found.sure = false;
      found.counts = job_.counting.count(found.line) != 0;
      if (astray_ > AT_PROMPT && pad(RUNNING) == 0) found.asks = found.sure = true;
      if (found.asks) found.shown = sum_of(shown());
    }
    return found;
  }

  static uint64_t sum_of(const std::string &text) {
    uint64_t sum = 14695981039346656037u;
    for (const char byte : text) sum = (sum ^ static_cast<uint8_t>(byte)) * 1099511628211u;
    return sum;
  }

  std::string screen() const {
    std::string codes(SCREEN_SIZE, ' ');
    for (int at = 0; at < SCREEN_SIZE; at++)
      codes[at] = static_cast<char>(m_VideoMemory[at] - job_.offset);
    return codes;
  }

  bool shows(const std::string &text) const {
    const std::string codes = screen();
    for (int row = 0; row < SCREEN_SIZE; row += ROW)
      if (codes.substr(row, ROW).find(text) != std::string::npos) return true;
    return false;
  }

  // Whether the screen is what it was when this was last called, the cursor aside.
  bool same() {
    const std::string now = screen();
    bool result = now.size() == before_.size();
    for (int at = 0; result && at < SCREEN_SIZE; at++)
      result = now[at] == before_[at] || now[at] == CURSOR || before_[at] == CURSOR;
    before_ = now;
    return result;
  }

  void frame() {
    const uint32_t clock = m_CPU->GetClocks();
    cycles_ += static_cast<uint32_t>(clock - last_clock_);
    last_clock_ = clock;
    frames_++;
    const Line line = where();
    if (line != NOWHERE) {
      lines_[line.first].insert(line.second);
      beginning_.look(true, cycles_);
    }
    const bool elsewhere = line != NOWHERE && job_.known.count(line.first) && !job_.asking.count(line);
    astray_ = elsewhere ? astray_ + 1 : 0;
    const std::string now = screen();
    if (now.find(static_cast<char>(CURSOR)) == std::string::npos) plain_ = now;
    keyboard_.frame(pad(LAST_KEY));
    while (!over_ && (at_ < job_.orders.size() || next()) && (done(job_.orders[at_]) || late())) {
      at_++;
      phase_ = count_ = 0;
      since_ = frames_;
      before_.clear();
    }
    if (!over_ && at_ >= job_.orders.size()) end();
  }

  // Waits for the next order of somebody at the machine, which stands still meanwhile.
  bool next() {
    if (!job_.live) return false;
    answer();
    std::string line;
    if (!std::getline(std::cin, line)) return false;
    job_.orders.push_back(read_order(line));
    return true;
  }

  // The machine time for an order is over: a job ends, somebody at the machine is told.
  bool late() {
    const bool over = patience_ && frames_ - since_ >= patience_;
    if (frames_ < job_.limit && !over) return false;
    fail("late");
    return !over_;
  }

  void answer() {
    std::map<std::string, std::string> told;
    for (const Look &look : keyboard_.looks()) {
      char place[40];
      snprintf(place, sizeof place, "%d.%d.%08x", look.line.first, look.line.second, look.stack);
      std::string &cycles = told[look.stack ? place : std::string(place).substr(0, strlen(place) - 9)];
      cycles += (cycles.empty() ? "" : ",") + std::to_string(look.cycle);
    }
    for (const auto &[place, cycles] : told) say("LOOKS " + place + " " + cycles);
    say("DID " + std::to_string(cycles_));
    fflush(stdout);
  }

  // Goes on with an order; true when it is done.
  bool done(const Order &order) {
    const std::string &verb = order.verb;
    const int passed = frames_ - since_;
    if (verb == "wait") return passed >= order.number(0);
    if (verb == "since") return beginning_.due(order.number(0), cycles_) || missed(order.number(1), passed);
    if (verb == "until") return until(order, passed);
    if (verb == "gone") return gone(order, passed);
    if (verb == "rest") return rest(order);
    if (verb == "asked") return asked(order);
    if (verb == "key") return key(order);
    if (verb == "tap") return tap(order);
    if (verb == "down") keyboard_.held.insert(order.places.begin(), order.places.end());
    if (verb == "up") for (int place : order.places) keyboard_.held.erase(place);
    if (verb == "snap") snap(order.text);
    if (verb == "watch") return watch(order, passed);
    if (verb == "within") patience_ = order.number(0);
    if (verb == "forget" || verb == "known" || verb == "ask" || verb == "count") job_.set(order);
    if (verb == "eject") eject();
    if (verb == "insert") insert(order.text);
    if (verb == "drive") drive();
    if (verb == "mark") first_cycle_ = cycles_, booted_ = true, beginning_.forget();
    return true;
  }

  bool until(const Order &order, int passed) {
    if (phase_ == 0) {
      if (passed % LOOK) return false;
      if (!shows(order.text)) return missed(order.number(1), passed);
      phase_ = 1;
      count_ = passed;
    }
    return passed - count_ >= order.number(0);
  }

  bool gone(const Order &order, int passed) {
    return passed % LOOK == 0 && (!shows(order.text) || missed(order.number(0), passed));
  }

  // Whether the frames of an order are over; a remark then.
  bool missed(int limit, int passed) {
    if (!limit || passed < limit) return false;
    say("MISSED " + std::to_string(at_));
    return true;
  }

  bool rest(const Order &order) {
    count_ = same() ? count_ + 1 : 0;
    return count_ >= order.number(0);
  }

  bool asked(const Order &order) {
    bool here = false, elsewhere = false;
    for (const Line &line : keyboard_.looked_at()) {
      bool wanted = order.numbers.size() < 3;
      for (size_t at = 1; at + 1 < order.numbers.size(); at += 2)
        wanted = wanted || line == Line{order.numbers[at], order.numbers[at + 1]};
      (wanted ? here : elsewhere) = true;
    }
    const bool still = same() && !elsewhere;
    count_ = still ? count_ + 1 : 0;
    phase_ = still ? phase_ + here : 0;     // frames in which the program looked for a key
    const std::string now = drawings();
    if (here) looked_ = frames_;
    if (!still || now != drawn_ || frames_ - looked_ > AT_WORK) busy_ = frames_;
    drawn_ = now;
    const bool idle = frames_ - busy_ >= order.number(0) || count_ >= RESTLESS;
    return count_ >= order.number(0) && phase_ > 1 && idle;
  }

  // The patterns of characters, and their colours.
  std::string drawings() const {
    const char *video = reinterpret_cast<const char *>(m_VideoMemory);
    return std::string(video + PATTERNS, video + PATTERNS_END) +
           std::string(video + COLORS, video + COLORS_END);
  }

  bool key(const Order &order) {
    const int passed = frames_ - since_, at_most = order.number(2);
    if (phase_ == 0) {
      const bool others = !keyboard_.held.empty();
      if (!others && !keyboard_.rested(pad(LAST_KEY)) && !(at_most && passed >= at_most)) return false;
      keyboard_.press(order.places, at_most != 0, order.number(0) != 0);
      phase_ = 1;
      count_ = frames_;
      return false;
    }
    const int down = frames_ - count_;
    if (phase_ == 1) {
      const bool shortly = at_most && down >= at_most;
      if (!shortly && (!keyboard_.taken() || down < order.number(0))) return false;
      keyboard_.release();
      phase_ = 2;
      count_ = frames_;
      return order.number(1) == 0;
    }
    return down >= order.number(1);
  }

  bool tap(const Order &order) {
    const int passed = frames_ - since_;
    if (phase_ == 0) {
      keyboard_.held.insert(order.places.begin(), order.places.end());
      phase_ = 1;
    }
    if (phase_ == 1 && passed >= order.number(0)) {
      for (int place : order.places) keyboard_.held.erase(place);
      phase_ = 2;
    }
    return phase_ == 2 && passed >= order.number(0) + order.number(1);
  }

  // What is shown, the places of sprites in motion aside, and what is heard.
  std::string shown() const {
    std::string result(reinterpret_cast<const char *>(m_VideoMemory), COLORS_END);
    for (int at = 0; at < MOTION_END - MOTION; at += 4)
      if (result[MOTION + at] || result[MOTION + at + 1]) result[SPRITES + at] = result[SPRITES + at + 1] = 0;
    result.replace(MOTION, MOTION_END - MOTION, MOTION_END - MOTION, 0);
    return result + registers() + std::to_string(sounds_);
  }

  bool watch(const Order &order, int passed) {
    if (passed == 0 || passed % LOOK_LIVE) return false;
    const std::string now = shown();
    if (now == seen_ && passed < order.number(0)) return false;
    seen_ = now;
    say("SEEN " + std::to_string(pad(RUNNING)) + " " + std::to_string(sounds_) + " " +
        hex(m_VideoMemory, COLORS_END) + " " + registers());
    return true;
  }

  // Takes the disk out of the first drive. What was written is in its file then: ti99sim writes it
  // when it saves its state.
  void eject() {
    if (!drives_) return;
    drives_->SaveState();
    drives_->UnLoadDisk(0);
    disk_.clear();
  }

  void insert(const std::string &path) {
    if (drives_) drives_->LoadDisk(0, path.c_str());
    disk_ = path;
  }

  void drive() {
    cRefPtr<cDiskMedia> disk = new cDiskMedia(disk_.c_str(), FORMAT_UNKNOWN);
    const bool there = drives_ && disk->GetFormat() != FORMAT_UNKNOWN;
    say(std::string("DISK ") + (there ? "1 " : "0 ") + (disk->IsWriteProtected() ? "1" : "0"));
  }

  std::string registers() const {
    uint8_t found[REGISTERS];
    for (int n = 0; n < REGISTERS; n++) found[n] = vdp_->ReadRegister(n);
    return hex(found, REGISTERS);
  }

  void snap(const std::string &name) {
    const std::string now = screen();
    const size_t cursor = now.find(static_cast<char>(CURSOR));
    const char beneath = cursor == std::string::npos ? ' ' : plain_[cursor];
    const auto bytes = [](const std::string &text) {
      return hex(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    };
    say("SNAP " + bytes(name) + " " + bytes(now) + " " + bytes(std::string(1, beneath)));
    say("VIDEO " + bytes(name) + " " + hex(m_VideoMemory, VIDEO_SIZE) + " " + registers());
  }

  void fail(const std::string &why) {
    const Line line = where();
    say("FAIL " + std::to_string(at_) + " " + std::to_string(phase_) + " " + why);
    if (line != NOWHERE) say("AT " + std::to_string(line.first) + " " + std::to_string(line.second));
    if (at_ < own_) return end();
    keyboard_.release();
  }

  void end() {
    over_ = true;
    snap("final");
    for (const auto &[entries, seen] : lines_) {
      std::string text;
      for (int index : seen) text += (text.empty() ? "" : ",") + std::to_string(index);
      say("LINES " + std::to_string(entries) + " " + text);
    }
    if (job_.sound) say("SOUND " + hex(reinterpret_cast<const uint8_t *>(beginning_.sound().data()), beginning_.sound().size()));
    say("KEYS " + std::to_string(keyboard_.pressed) + " " + std::to_string(keyboard_.spared));
    say("CYCLES " + std::to_string(cycles_ - first_cycle_));
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.2f", cycles_ / 3e6);
    say(std::string("DONE ") + seconds);
    fflush(stdout);
    Stop();
  }
};

cRefPtr<cCartridge> cartridge(const Job &job, const std::string &what) {
  const auto found = job.files.find(what);
  if (found == job.files.end()) return {};
  cRefPtr<cCartridge> result = new cCartridge(found->second);
  if (!result->IsValid()) {
    fprintf(stderr, "%s: not a cartridge\n", found->second.c_str());
    exit(3);
  }
  return result;
}

void play(Job &job) {
  for (int drive = 0; drive < 3; drive++) {
    const auto found = job.files.find("disk" + std::to_string(drive + 1));
    cDiskDevice::DiskImage[drive] = found == job.files.end() ? "/nonexistent.dsk" : found->second;
  }
  cRefPtr<cCartridge> console = cartridge(job, "console");
  if (!console) {
    fprintf(stderr, "the job names no console ROM\n");
    exit(3);
  }
  cRefPtr<cCartridge> controller = cartridge(job, "controller");
  cRefPtr<cCartridge> basic = cartridge(job, "cartridge");
  cRefPtr<cTMS9918A> vdp = new cTMS9918A(60);
  cRefPtr<Machine> machine = new Machine(console, vdp, job);
  if (controller) {
    cDiskDevice *drives = new cDiskDevice(controller);
    cRefPtr<iDevice> device = static_cast<iDevice *>(drives);
    machine->RegisterDevice(device);
    machine->use(drives, cDiskDevice::DiskImage[0]);
  }
  if (basic) machine->InsertCartridge(basic);
  machine->Run();
}  // what was written to the disks is kept when the machine goes

}  // namespace

int main(int argc, char **argv) {
  std::ifstream in(argc > 1 ? argv[1] : "");
  if (!in) {
    fprintf(stderr, "usage: driver JOB\n");
    return 2;
  }
  Job job(in);
  play(job);
  return 0;
}
