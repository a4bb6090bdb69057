// A job as text, read: its settings and its orders. hosts/driver.py has the form.

#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "keyboard.hpp"

inline std::string hex(const uint8_t *data, size_t size) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * size);
  for (size_t at = 0; at < size; at++) {
    text += digits[data[at] >> 4];
    text += digits[data[at] & 15];
  }
  return text;
}

inline std::string unhex(const std::string &text) {
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
inline Order read_order(const std::string &line) {
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
  bool alpha = false, sound = false, live = false;
  std::set<int> known;                      // sizes of the line number tables on the disk
  std::set<Line> asking, counting;          // lines that look for keys; those between FOR and NEXT
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
    else if (verb == "live") live = order.number(0) != 0;
    else if (verb == "forget") known.clear(), asking.clear(), counting.clear();
    else if (verb == "known") known.insert(order.number(0));
    else if (verb == "ask") asking.insert({order.number(0), order.number(1)});
    else if (verb == "count") counting.insert({order.number(0), order.number(1)});
    else if (!order.text.empty()) files[verb] = order.text;
  }
};
