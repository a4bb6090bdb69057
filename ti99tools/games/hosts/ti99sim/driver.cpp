// Plays a job on ti99sim's machine without window or sound: boots it, presses keys, reads the
// screen from video memory, and prints lines that begin with "@" for the Python side.
// hosts/driver.py has the form of jobs and of these lines, hosts/__init__.py how keys are pressed.
// hosts/mame/drive.lua does the same inside MAME; both go on frame by frame.
//
// It is compiled by its user against a copy of ti99sim's sources; see building.py.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common.hpp"
#include "cartridge.hpp"
#include "ti-disk.hpp"
#include "ti994a.hpp"
#include "tms9900.hpp"
#include "tms9918a.hpp"
#include "itms9919.hpp"

// Asked for by ti99sim's option.cpp, which nobody calls here.
void PrintUsage() {}

namespace {

constexpr int CYCLES_A_FRAME = 50064;
constexpr int LOOK = 4;                     // frames between looks at the screen
constexpr int NO_KEY = 0xFF;
constexpr int LAST_KEY = 0xC8;              // scratchpad cells, at 8300h and on
constexpr int LINE = 0x2E, TABLE_START = 0x30, TABLE_END = 0x32, RUNNING = 0x44;
constexpr int EXPANSION = 0xA000;
constexpr int SCREEN_SIZE = 768, ROW = 32, VIDEO_SIZE = 0x4000, REGISTERS = 8;
constexpr int CURSOR = 0x1E;
constexpr int PATTERNS = 0x3F0, PATTERNS_END = 0x780, COLORS = 0x800, COLORS_END = 0x820;
constexpr int AT_WORK = 20;                 // frames between looks for a key: the program works
constexpr int RESTLESS = 1200;              // frames of rest after which it may work, or draw
constexpr uint32_t BETWEEN_SCANS = 600;     // cycles without a read of the keyboard
constexpr int QUIET = 3, QUIET_ELSEWHERE = 12;  // frames between two keys; see Keyboard::rested
constexpr int AT_PROMPT = 600;              // frames without an asking line before a prompt is one
constexpr int FIRST_ROW = 3, ROWS = 8, COLUMN_BIT = 18, COLUMN_BITS = 3, ALPHA_BIT = 21;
constexpr int ALPHA_ROW = 4, STICKS = 6;    // CRU bits of the TMS9901; the first joystick's column

using Line = std::pair<int, int>;           // entries of the line number table, index in it
const Line NOWHERE{0, -1};

std::string hex(const uint8_t *data, size_t size) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * size);
  for (size_t at = 0; at < size; at++) {
    text += digits[data[at] >> 4];
    text += digits[data[at] & 15];
  }
  return text;
}

std::string unhex(const std::string &text) {
  std::string bytes;
  for (size_t at = 0; at + 1 < text.size(); at += 2)
    bytes += static_cast<char>(std::stoi(text.substr(at, 2), nullptr, 16));
  return bytes;
}

struct Order {
  std::string verb, text;
  std::vector<int> numbers, places;         // a place is 8 times its column and its row

  int number(size_t at) const { return at < numbers.size() ? numbers[at] : 0; }
};

// A line of a job: a word, numbers, places of the keyboard (k), a text in hexadecimal (x).
Order read_order(const std::string &line) {
  Order order;
  std::istringstream words(line);
  words >> order.verb;
  for (std::string word; words >> word;) {
    if (word[0] == 'x')
      order.text = unhex(word.substr(1));
    else if (word[0] == 'k')
      order.places.push_back(8 * (word[1] - '0') + (word[2] - '0'));
    else
      order.numbers.push_back(std::stoi(word));
  }
  return order;
}

struct Job {
  int offset = 0x60, limit = 3600, cell = 0;
  bool alpha = false, sound = false;
  std::set<int> known;                      // sizes of the line number tables on the disk
  std::set<Line> asking;
  std::map<std::string, std::string> files; // console, cartridge, controller, disk1 ...
  std::vector<Order> orders;

  explicit Job(std::istream &in) {
    bool begun = false;
    for (std::string line; std::getline(in, line);) {
      if (line.empty()) continue;
      Order order = read_order(line);
      if (begun)
        orders.push_back(order);
      else if (order.verb == "begin")
        begun = true;
      else
        set(order);
    }
  }

  void set(const Order &order) {
    const std::string &verb = order.verb;
    if (verb == "offset") offset = order.number(0);
    else if (verb == "limit") limit = order.number(0);
    else if (verb == "cell") cell = order.number(0);
    else if (verb == "alpha") alpha = order.number(0) != 0;
    else if (verb == "sound") sound = order.number(0) != 0;
    else if (verb == "known") known.insert(order.number(0));
    else if (verb == "ask") asking.insert({order.number(0), order.number(1)});
    else if (!order.text.empty()) files[verb] = order.text;
  }
};

// What the Python side reads.
void say(const std::string &text) { printf("@%s\n", text.c_str()); }

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
    taken_ = shown_ = spared_ = down_ = false;
    wanted_ = true;
    kept_ = 0;
  }

  // The key goes up.
  void release() {
    wanted_ = heard_ = false;
    quiet_ = 0;
    in_vain_.clear();
  }

  bool taken() const { return taken_; }

  // Between two keys: the program has looked for some frames and found none, at the statement
  // that took the last one, too, if it still looks there.
  bool rested(int last_key) const {
    return last_key == NO_KEY && (heard_ || taker_ == NOWHERE ? quiet_ >= QUIET
                                                              : quiet_ >= QUIET_ELSEWHERE);
  }

  // The program looks at a row. `asks` tells whether the line that runs takes keys.
  template <class Asks>
  bool read(int place, uint32_t cycle, int last_key, Asks asks) {
    if (cycle - last_read_ > BETWEEN_SCANS) begin(last_key, asks);
    last_read_ = cycle;
    const int column = place / 8;
    if (column != 0 && column != 3 && column < STICKS) look();   // no look for CLEAR or QUIT
    const bool visible = down_ && (taken_ || always_ || open_);
    return held_.count(place) != 0 || (visible && key_.count(place) != 0);
  }

  // A frame is over: whether a scan has found the key, whether one has found none.
  void frame(int last_key) {
    notice(last_key);
    if (looked_ && last_key == NO_KEY) ++(down_ || wanted_ ? kept_ : quiet_);
    looked_ = false;
  }

  // Lines that looked for keys since this was last called.
  std::set<Line> looked_at() { return std::exchange(lines_, {}); }

 private:
  std::set<int> key_, held_;
  bool always_ = false, keep_ = false, spared_ = false;
  bool wanted_ = false, down_ = false, shown_ = false, taken_ = false;
  bool asks_ = false, open_ = false, looks_ = false, looked_ = false, heard_ = false;
  int quiet_ = 0, kept_ = 0;                // frames with looks in vain: without a key, with one
  uint32_t last_read_ = 0;
  Line here_ = NOWHERE, shown_at_ = NOWHERE, taker_ = NOWHERE;
  std::set<Line> lines_, in_vain_;          // lines that looked; those that did since the last key

  // A scan begins. Keys go down and up between scans only, so that none sees half of a key.
  template <class Asks>
  void begin(int last_key, Asks asks) {
    notice(last_key);
    if (looks_ && last_key == NO_KEY) in_vain_.insert(here_);
    looks_ = false;
    std::tie(asks_, here_) = asks();
    open_ = asks_ && (in_vain_.count(here_) || kept_ >= QUIET_ELSEWHERE);
    down_ = wanted_;
    held_ = held;
  }

  void look() {
    if (asks_) {
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
    if (down_ && shown_ && !taken_ && last_key != NO_KEY) {
      taken_ = true;
      wanted_ = keep_;
      pressed++;
      taker_ = shown_at_;
    }
  }
};

// The machine, which calls the player after each frame.
class Machine : public cTI994A {
 public:
  Machine(iCartridge *console, cTMS9918A *vdp, Job &job)
      : cBaseObject("Machine"), cTI994A(console, vdp), job_(job), vdp_(vdp) {
    m_RetraceInterval = CYCLES_A_FRAME;
    for (const Order &order : job.orders) booted_ = booted_ && order.verb != "mark";
  }

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
    auto asks = [this] { return std::make_pair(asking(), where()); };
    const int place = 8 * column_ + row;
    return keyboard_.read(place, m_CPU->GetClocks(), pad(LAST_KEY), asks) ? 0 : 1;
  }

  void WriteCRU(ADDRESS bit, UINT16 value) override {
    cTI994A::WriteCRU(bit, value);
    const int at = bit - COLUMN_BIT;
    if (bit == 0) timer_ = value != 0;
    if (at >= 0 && at < COLUMN_BITS) column_ = (column_ & ~(1 << at)) | (value ? 1 << at : 0);
    if (bit == ALPHA_BIT) alpha_line_ = value != 0;
  }

  UINT8 SoundBreakPoint(ADDRESS address, UINT8 data) override {
    if (job_.sound && begun_) sound_ += static_cast<char>(data);
    return cTI994A::SoundBreakPoint(address, data);
  }

 private:
  Job &job_;
  cTMS9918A *vdp_;
  Keyboard keyboard_;
  bool over_ = false, timer_ = false, alpha_line_ = true, begun_ = false, booted_ = true;
  int column_ = 0;
  int frames_ = 0, astray_ = 0;
  uint64_t cycles_ = 0, first_cycle_ = 0;
  uint32_t last_clock_ = 0;
  std::map<int, std::set<int>> lines_;
  std::string sound_, before_, drawn_, plain_ = std::string(SCREEN_SIZE, ' ');
  size_t at_ = 0;                           // the order that is being done
  int phase_ = 0, since_ = 0, count_ = 0, looked_ = 0, busy_ = 0;

  int pad(int at) const { return m_Scratchpad[at]; }
  int word(int at) const { return pad(at) * 256 + pad(at + 1); }

  // The line that is being executed: 832Eh points into the line number table.
  Line where() const {
    const int at = word(LINE), first = word(TABLE_START), last = word(TABLE_END);
    const int entries = (last + 1 - first) / 4;
    if (first < EXPANSION || entries < 1 || at < first || at > last) return NOWHERE;
    return {entries, (at - first) / 4};
  }

  // Whether a key that is pressed now is the program's, and not lost to another statement.
  bool asking() const {
    if (job_.cell) return !booted_ || word(job_.cell & 0xFF) != 0;
    const Line line = where();
    if (line == NOWHERE || !job_.known.count(line.first) || job_.asking.count(line)) return true;
    return astray_ > AT_PROMPT && pad(RUNNING) == 0;
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
      begun_ = true;
    }
    const bool elsewhere = line != NOWHERE && job_.known.count(line.first) && !job_.asking.count(line);
    astray_ = elsewhere ? astray_ + 1 : 0;
    const std::string now = screen();
    if (now.find(static_cast<char>(CURSOR)) == std::string::npos) plain_ = now;
    keyboard_.frame(pad(LAST_KEY));
    while (!over_ && at_ < job_.orders.size() && done(job_.orders[at_])) {
      at_++;
      phase_ = count_ = 0;
      since_ = frames_;
      before_.clear();
    }
    if (!over_ && at_ >= job_.orders.size()) end();
    else if (!over_ && frames_ >= job_.limit) fail("late");
  }

  // Goes on with an order; true when it is done.
  bool done(const Order &order) {
    const std::string &verb = order.verb;
    const int passed = frames_ - since_;
    if (verb == "wait") return passed >= order.number(0);
    if (verb == "until") return until(order, passed);
    if (verb == "gone") return gone(order, passed);
    if (verb == "rest") return rest(order);
    if (verb == "asked") return asked(order);
    if (verb == "key") return key(order);
    if (verb == "tap") return tap(order);
    if (verb == "down") keyboard_.held.insert(order.places.begin(), order.places.end());
    if (verb == "up") for (int place : order.places) keyboard_.held.erase(place);
    if (verb == "snap") snap(order.text);
    if (verb == "mark") first_cycle_ = cycles_, begun_ = false, booted_ = true, sound_.clear();
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

  void snap(const std::string &name) {
    const std::string now = screen();
    const size_t cursor = now.find(static_cast<char>(CURSOR));
    const char beneath = cursor == std::string::npos ? ' ' : plain_[cursor];
    uint8_t registers[REGISTERS];
    for (int n = 0; n < REGISTERS; n++) registers[n] = vdp_->ReadRegister(n);
    const auto bytes = [](const std::string &text) {
      return hex(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    };
    say("SNAP " + bytes(name) + " " + bytes(now) + " " + bytes(std::string(1, beneath)));
    say("VIDEO " + bytes(name) + " " + hex(m_VideoMemory, VIDEO_SIZE) + " " + hex(registers, REGISTERS));
  }

  void fail(const std::string &why) {
    const Line line = where();
    say("FAIL " + std::to_string(at_) + " " + std::to_string(phase_) + " " + why);
    if (line != NOWHERE) say("AT " + std::to_string(line.first) + " " + std::to_string(line.second));
    end();
  }

  void end() {
    over_ = true;
    snap("final");
    for (const auto &[entries, seen] : lines_) {
      std::string text;
      for (int index : seen) text += (text.empty() ? "" : ",") + std::to_string(index);
      say("LINES " + std::to_string(entries) + " " + text);
    }
    if (job_.sound) say("SOUND " + hex(reinterpret_cast<const uint8_t *>(sound_.data()), sound_.size()));
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
    cRefPtr<iDevice> device = static_cast<iDevice *>(new cDiskDevice(controller));
    machine->RegisterDevice(device);
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
