-- Plays a job inside MAME: presses keys, reads the screen from video memory, and prints lines that
-- begin with "@" for the Python side. hosts/driver.py has the form of jobs and of these lines,
-- hosts/__init__.py how keys are pressed.
-- hosts/ti99sim/driver.cpp does the same inside ti99sim; both go on frame by frame.
--
-- Keys are not pressed on MAME's own keyboard, which is looked at once a frame: the console reads
-- the rows of the matrix through the CRU, and what it reads there is what this script says.

local CPU_HZ = 3000000
local CYCLES_A_FRAME = 50064
local LOOK = 4                                 -- frames between looks at the screen
local NO_KEY = 0xFF
local LAST_KEY, RUNNING = 0xC8, 0x44           -- scratchpad cells, at 8300h and on
local UNIT = 0x74                              -- the unit that the console's next scan is for
local LINE, TABLE_START, TABLE_END = 0x2E, 0x30, 0x32
local STACK_BASE, STACK_TOP = 0x24, 0x6E
local EXPANSION = 0xA000
local SCREEN_SIZE, ROW, VIDEO_SIZE = 768, 32, 0x4000
local CURSOR = string.char(0x1E)
local PATTERNS, PATTERNS_SIZE, COLORS, COLORS_SIZE = 0x3F0, 0x390, 0x800, 0x20
local SPRITES, MOTION, SPRITE_COUNT, SHOWN_SIZE = 0x300, 0x780, 28, 0x820
local LOOK_LIVE = 6                            -- frames between looks of somebody at the machine
local MOST_LOOKS = 100000                      -- for keys, that are kept until they are told
local DRIVE = ":ioport:peb:slot8:tifdc:0:525dd"
local AT_WORK = 20                             -- frames between looks for a key: the program works
local RESTLESS = 1200                          -- frames of rest after which it may work, or draw
local BETWEEN_SCANS = 600 / CPU_HZ             -- seconds without a read of the keyboard
local QUIET, QUIET_ELSEWHERE = 3, 12           -- frames between two keys; see `rested`
local AT_LAST = 1200                           -- frames with a key in vain: any asking line gets it
local LINGER = 6                               -- frames in which a look at the whole keyboard may follow
local AT_PROMPT = 600                          -- frames without an asking line before a prompt is one
local FIRST_ROW, LAST_ROW, COLUMN, ALPHA = 0x06, 0x14, 0x24, 0x2A  -- CRU addresses
local ALPHA_ROW, STICKS = 4, 6

local machine = manager.machine
local cpu = machine.devices[":maincpu"].spaces
local vdp = machine.devices[":vdp"]
local video = emu.item(vdp.items["1/0-3fff"])

local function say(text)
  print("@" .. text)
  io.stdout:flush()
end

local function hex(text)
  return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function unhex(text)
  return (text:gsub("..", function(two) return string.char(tonumber(two, 16)) end))
end

-- ---------------------------------------------------------------- the job

-- A line of a job: a word, numbers, places of the keyboard (k), a text in hexadecimal (x).
local function read_order(line)
  local order = {numbers = {}, places = {}, text = ""}
  for word in line:gmatch("%S+") do
    local first = word:sub(1, 1)
    if not order.verb then order.verb = word
    elseif first == "x" then order.text = unhex(word:sub(2))
    elseif first == "k" then order.places[#order.places + 1] = tonumber(word:sub(2, 2)) * 8 + tonumber(word:sub(3, 3))
    else order.numbers[#order.numbers + 1] = tonumber(word) end
  end
  return order
end

local set = {offset = 0x60, limit = 3600, alpha = 0, cell = 0, sound = 0, pace = 60, live = 0}
local known, asking, counting, orders, own = {}, {}, {}, {}, 0  -- own: orders of the job itself
local booted = true                            -- the program runs, not title and menu

local function entry(size, index) return size * 65536 + index end

local function set_table(order)
  if order.verb == "forget" then known, asking, counting = {}, {}, {}
  elseif order.verb == "known" then known[order.numbers[1]] = true
  else
    local lines = order.verb == "ask" and asking or counting
    lines[entry(order.numbers[1], order.numbers[2])] = true
  end
end

local function read_job()
  local begun = false
  for line in io.lines("job.txt") do
    local order = read_order(line)
    if begun then
      orders[#orders + 1] = order
      if order.verb == "mark" then booted = false end
    elseif order.verb == "begin" then begun = true
    elseif order.verb == "known" or order.verb == "ask" or order.verb == "count" then set_table(order)
    elseif order.verb then set[order.verb] = order.numbers[1] end
  end
  own = #orders
end

-- ---------------------------------------------------------------- what the machine tells

-- The console's scratchpad RAM (256 bytes at 8300h); nil where this MAME does not show it.
local function scratchpad()
  local device = machine.devices[":scratchpad"]
  local name = device and device.items["0/m_pointer"]
  local item = name and emu.item(name)
  if item and item.count == 256 and item.size == 1 then return item end
  say("NOTE no scratchpad: keys are held for a fixed time")
  return nil
end

local pad = scratchpad()

local function cell(at) return pad and pad:read(at) or NO_KEY end

local function word(at) return cell(at) * 256 + cell(at + 1) end

-- The line that is being executed, as size and index: 832Eh points into the line number table.
local function where()
  if not pad then return nil end
  local at, first, last = word(LINE), word(TABLE_START), word(TABLE_END)
  local entries = (last + 1 - first) // 4
  if first < EXPANSION or entries < 1 or at < first or at > last then return nil end
  return entries, (at - first) // 4
end

-- A sum of the stack in video memory, where GOSUB, FOR and CALL keep where they return to; 0: nothing
-- on it.
local function stack()
  local base, top = word(STACK_BASE), math.min(word(STACK_TOP), VIDEO_SIZE)
  if not pad or base >= top then return 0 end
  local sum = 2166136261
  for byte in video:read_block(base, top - base):gmatch(".") do
    sum = ((sum ~ byte:byte()) * 16777619) & 0xFFFFFFFF
  end
  return sum
end

local astray = 0

-- Whether a key that is pressed now is the program's, and not lost to another statement; whether
-- the program waits for one beyond doubt, as at a prompt.
local function asks()
  if set.cell ~= 0 then return not booted or word(set.cell & 0xFF) ~= 0, true end
  local size, index = where()
  if not size or (astray > AT_PROMPT and cell(RUNNING) == 0) then return true, true end
  return not known[size] or asking[entry(size, index)] or false, false
end

local function decoded(codes)
  local offset = set.offset
  return (codes:gsub(".", function(c) return string.char((c:byte() - offset) % 256) end))
end

local function screen() return decoded(video:read_block(0, SCREEN_SIZE)) end

local function shows(text)
  local codes = screen()
  for at = 1, SCREEN_SIZE, ROW do
    if codes:sub(at, at + ROW - 1):find(text, 1, true) then return true end
  end
  return false
end

local before = ""

-- Whether the screen is what it was when this was last called, the cursor aside.
local function same()
  local now, was = screen(), before
  before = now
  if #now ~= #was then return false end
  if now == was then return true end
  for at = 1, SCREEN_SIZE do
    local a, b = now:sub(at, at), was:sub(at, at)
    if a ~= b and a ~= CURSOR and b ~= CURSOR then return false end
  end
  return true
end

local function registers()
  local found = {}
  for n = 0, 7 do found[n + 1] = ("%02x"):format(emu.item(vdp.items["0/m_Regs[" .. n .. "]"]):read(0)) end
  return table.concat(found)
end

-- ---------------------------------------------------------------- the keyboard

local sounds = 0                               -- bytes that the sound chip was sent
local held, held_now = {}, {}                  -- keys and sticks that are down whoever looks
local key, always, keep = {}, false, false
local wanted, down, shown, taken = false, false, false, false
local asks_now, here, shown_at, taker = false, 0, 0, 0
local looked, heard, spared, quiet, last_read = false, false, false, 0, 0
local looks_told, look_count = {}, 0           -- cycles of looks for a key, by place
local looked_at = {}                           -- lines that looked
local open, looks, kept = false, false, 0      -- kept: frames with looks in vain while a key is down
local count_taken, count_spared = 0, 0

-- When a program asks for a key: the rule of computer/console/asking.py, as far as MAME shows it. It
-- does not show what a program counts: a loop comes to its end without a key if its line lies between
-- FOR and NEXT. ti99sim/question.hpp is the same.
local QUIET_ROUNDS, LIVELY_ROUNDS = 3, 8
local BRISK, STEADY, LONG = 0.25, 1, 20        -- seconds
local rounds, endless, whole_at = {}, {}, -1   -- by place: the rounds of loops that look there

local function go_round(round, look)
  local apart, same = look.time - round.time, look.shown == round.shown
  if apart > STEADY then round.since = look.time end
  if look.counts or apart > BRISK then
    round.lively, round.changes = 0, 0
  else
    round.lively, round.changes = round.lively + 1, round.changes + (same and 0 or 1)
  end
  round.quiet = same and not look.counts and round.quiet + 1 or 0
  round.time, round.shown = look.time, look.shown
end

-- A look that finds no key: whether the program asks for one there.
local function is_question(look)
  if not look.half then whole_at = look.time end
  local round = rounds[look.place]
  if not round then
    rounds[look.place] = {time = look.time, since = look.time, shown = look.shown, quiet = 0, lively = 0, changes = 0}
    return false
  end
  local before = round.time
  go_round(round, look)
  if look.half and whole_at >= before then return false end
  if round.quiet >= QUIET_ROUNDS or (round.lively >= LIVELY_ROUNDS and round.changes > 0) then return true end
  if look.time - round.since >= LONG then endless[look.place] = true end
  return endless[look.place] or false
end

-- What is shown, the places of sprites in motion aside, and what is heard.
local function shown_now(ram)
  local motion = ram:sub(MOTION + 1, MOTION + 4 * SPRITE_COUNT)
  local parts = {ram:sub(1, SPRITES)}
  for n = 0, SPRITE_COUNT - 1 do
    local moves = motion:sub(4 * n + 1, 4 * n + 2) ~= "\0\0"
    local at = SPRITES + 4 * n
    parts[#parts + 1] = ram:sub(at + 1 + (moves and 2 or 0), at + 4)
  end
  parts[#parts + 1] = ram:sub(SPRITES + 4 * SPRITE_COUNT + 1, MOTION)
  parts[#parts + 1] = ram:sub(MOTION + 4 * SPRITE_COUNT + 1) .. registers() .. sounds
  return table.concat(parts, "|")
end

local half, whole, lingered = false, false, 0  -- the scan is of a half; one of the whole found the key

-- Whether the program asks for a key at the scan that begins.
local function asked(now)
  return is_question({
    place = ("%d.%d"):format(here, stack()),
    time = now,
    shown = shown_now(video:read_block(0, SHOWN_SIZE)),
    counts = counting[here] or false,
    half = half,
  })
end

local function notice()
  if not down or not shown or cell(LAST_KEY) == NO_KEY then return end
  if not taken then
    taken, taker = true, shown_at
    count_taken = count_taken + 1
  end
  -- A loop may look at a half for the joystick's button, and at the whole for the key.
  if not half then whole, wanted = true, keep end
end

-- A scan begins. Keys go down and up between scans only, so that none sees half of a key.
local function begin_scan(now)
  notice()
  looks = false
  local sure
  asks_now, sure = asks()
  half = cell(UNIT) == 1 or cell(UNIT) == 2
  local size, index = where()
  here = size and entry(size, index) or 0
  open = asks_now and wanted and not taken and (sure or asked(now) or kept >= AT_LAST)
  down = wanted
  held_now = {}
  for place in pairs(held) do held_now[place] = true end
end

-- Notes where a scan looks for a key, and when.
local function note_look()
  if look_count >= MOST_LOOKS then return end
  look_count = look_count + 1
  local place, sum = ("%d.%d"):format(here // 65536, here % 65536), stack()
  if sum ~= 0 then place = ("%s.%08x"):format(place, sum) end
  looks_told[place] = looks_told[place] or {}
  table.insert(looks_told[place], tostring(last_read * CPU_HZ // 1 | 0))
end

local function look()
  if asks_now then
    if not looks and set.live ~= 0 then note_look() end
    looked, looks = true, true
    looked_at[here] = true
    if here == taker and not down then heard = true end
  end
  if not down or taken then return end
  if always or open then
    shown, shown_at = true, here
  elseif not spared then
    spared = true
    count_spared = count_spared + 1
  end
end

-- The program looks at a row; whether it finds a key down.
local function read_place(place)
  local now = machine.time:as_double()
  if now - last_read > BETWEEN_SCANS then begin_scan(now) end
  last_read = now
  local column = place // 8
  if column ~= 0 and column ~= 3 and column < STICKS then look() end   -- no look for CLEAR or QUIT
  return held_now[place] or (down and (taken or always or open) and key[place]) or false
end

-- Between two keys: the program has looked for some frames and found none, at the statement that
-- took the last one, too, if it still looks there.
local function rested()
  local enough = (heard or taker == 0) and QUIET or QUIET_ELSEWHERE
  return cell(LAST_KEY) == NO_KEY and quiet >= enough
end

local function keyboard_frame()
  notice()
  if taken and not whole then
    lingered = lingered + 1
    if lingered >= LINGER then wanted = keep end
  end
  if looked and cell(LAST_KEY) == NO_KEY then
    if down or wanted then kept = kept + 1 else quiet = quiet + 1 end
  end
  looked = false
end

local function press(places, whoever, longer)
  key, always, keep = {}, whoever, longer
  for _, place in ipairs(places) do key[place] = true end
  taken, shown, spared, down, wanted, kept = false, false, false, false, true, 0
  whole, lingered, rounds = false, 0, {}
end

-- The program has the key, and so has a look at the whole keyboard that follows one at a half.
local function has_key() return taken and (whole or lingered >= LINGER) end

local function release()
  wanted, heard, quiet = false, false, 0
end

local column, alpha_line, timer = 0, true, false
-- Kept, as they work as long as they are; the thread too, in whose name MAME calls them.
local taps = {thread = coroutine.running()}

local function tap_keyboard()
  taps[1] = cpu["cru"]:install_write_tap(0, ALPHA + 1, "ti99tools columns", function(address, data)
    local at = (address - COLUMN) // 2
    if address == 0 then timer = data & 1 ~= 0
    elseif address == ALPHA then alpha_line = data & 1 ~= 0
    elseif at >= 0 and at < 3 then column = column & ~(1 << at) | ((data & 1) << at) end
  end)
  taps[2] = cpu["cru"]:install_read_tap(FIRST_ROW, LAST_ROW + 1, "ti99tools rows", function(address)
    if timer or address % 2 ~= 0 then return nil end
    local row = (address - FIRST_ROW) // 2
    if row == ALPHA_ROW and not alpha_line then return 1 - set.alpha end
    return read_place(column * 8 + row) and 0 or 1
  end)
end

local sound = {}
local begun                                    -- when a line of a program was first seen

-- A chance to see a line of a program, in its pre-scan or as it runs.
local function look_for_line()
  if not begun and where() then begun = machine.time:as_double() end
end

local function tap_sound()
  taps[3] = cpu["program"]:install_write_tap(0x8400, 0x85FF, "ti99tools sound", function(_, data)
    sounds = sounds + 1
    look_for_line()
    if begun and set.sound ~= 0 then sound[#sound + 1] = string.char(data >> 8 & 0xFF) end
  end)
end

-- ---------------------------------------------------------------- the orders

local frames, since, phase, count = 0, 0, 0, 0
local first_time = 0
local current = 1
local drawn, last_look, busy = "", 0, 0
local executed = {}
local plain = ""                               -- video memory when it last showed no cursor

local function snap(name)
  local now = screen()
  local cursor = now:find(CURSOR, 1, true)
  local beneath = cursor and decoded(plain:sub(cursor, cursor)) or ""
  if beneath == "" then beneath = " " end
  say("SNAP " .. hex(name) .. " " .. hex(now) .. " " .. hex(beneath))
  say("VIDEO " .. hex(name) .. " " .. hex(video:read_block(0, VIDEO_SIZE)) .. " " .. registers())
end

-- Whether the frames of an order are over; a remark then.
local function missed(limit, passed)
  if limit == 0 or passed < limit then return false end
  say("MISSED " .. current - 1)
  return true
end

-- Each goes on with an order; true when it is done.
local actions = {}

actions["until"] = function(order, passed)
  if phase == 0 then
    if passed % LOOK ~= 0 then return false end
    if not shows(order.text) then return missed(order.numbers[2], passed) end
    phase, count = 1, passed
  end
  return passed - count >= order.numbers[1]
end

function actions.gone(order, passed)
  return passed % LOOK == 0 and (not shows(order.text) or missed(order.numbers[1], passed))
end

function actions.since(order, passed)
  local gone = begun and (machine.time:as_double() - begun) * CPU_HZ / CYCLES_A_FRAME
  return gone and gone >= order.numbers[1] / 100 - 0.5 or missed(order.numbers[2], passed)
end

function actions.wait(order, passed)
  return passed >= order.numbers[1]
end

function actions.rest(order)
  count = same() and count + 1 or 0
  return count >= order.numbers[1]
end

function actions.asked(order)
  local found, elsewhere = false, false
  for line in pairs(looked_at) do
    local right = #order.numbers < 3
    for at = 2, #order.numbers - 1, 2 do
      right = right or line == entry(order.numbers[at], order.numbers[at + 1])
    end
    if right then found = true else elsewhere = true end
  end
  looked_at = {}
  local still = same() and not elsewhere
  count = still and count + 1 or 0
  phase = still and phase + (found and 1 or 0) or 0   -- frames in which the program looked for a key
  -- The patterns of characters, and their colours.
  local now = video:read_block(PATTERNS, PATTERNS_SIZE) .. video:read_block(COLORS, COLORS_SIZE)
  if found then last_look = frames end
  if not still or now ~= drawn or frames - last_look > AT_WORK then busy = frames end
  drawn = now
  local idle = frames - busy >= order.numbers[1] or count >= RESTLESS
  return count >= order.numbers[1] and phase > 1 and idle
end

function actions.tap(order, passed)
  if phase == 0 then
    for _, place in ipairs(order.places) do held[place] = true end
    phase = 1
  end
  if phase == 1 and passed >= order.numbers[1] then
    for _, place in ipairs(order.places) do held[place] = nil end
    phase = 2
  end
  return phase == 2 and passed >= order.numbers[1] + order.numbers[2]
end

local BLIND_HOLD = 4

function actions.key(order, passed)
  if not pad then
    local hold, gap = math.max(BLIND_HOLD, order.numbers[1]), math.max(set.pace, order.numbers[2])
    return actions.tap({places = order.places, numbers = {hold, gap}}, passed)
  end
  local hold, gap, at_most = table.unpack(order.numbers)
  if phase == 0 then
    local shortly = at_most > 0 and passed >= at_most
    if not next(held) and not rested() and not shortly then return false end
    press(order.places, at_most > 0, hold > 0)
    phase, count = 1, frames
    return false
  end
  local passed_since = frames - count
  if phase == 1 then
    local shortly = at_most > 0 and passed_since >= at_most
    if not shortly and (not has_key() or passed_since < hold) then return false end
    release()
    phase, count = 2, frames
    return gap == 0
  end
  return passed_since >= gap
end

function actions.down(order)
  for _, place in ipairs(order.places) do held[place] = true end
  return true
end

function actions.up(order)
  for _, place in ipairs(order.places) do held[place] = nil end
  return true
end

function actions.snap(order)
  snap(order.text)
  return true
end

function actions.mark()
  first_time, begun, sound, booted = machine.time:as_double(), nil, {}, true
  return true
end

-- ---------------------------------------------------------------- somebody at the machine

local seen = ""                                -- what `watch` has told last

function actions.watch(order, passed)
  if passed == 0 or passed % LOOK_LIVE ~= 0 then return false end
  local ram = video:read_block(0, SHOWN_SIZE)
  local now = shown_now(ram)
  if now == seen and passed < order.numbers[1] then return false end
  seen = now
  say(("SEEN %d %d %s %s"):format(cell(RUNNING), sounds, hex(ram), registers()))
  return true
end

local patience = 0                             -- frames for an order, if it is not 0

function actions.within(order)
  patience = order.numbers[1]
  return true
end

local function tables(order)
  set_table(order)
  return true
end

actions.forget, actions.known, actions.ask, actions.count = tables, tables, tables, tables

-- Takes the disk out of the first drive; what was written is in its file then.
function actions.eject()
  machine.images[DRIVE]:unload()
  return true
end

function actions.insert(order)
  machine.images[DRIVE]:load(order.text)
  return true
end

-- What is in the first drive; its sensor finds the notch of a protected disk closed.
function actions.drive()
  local image, sensor = machine.images[DRIVE], machine.devices[DRIVE].items["0/wpt"]
  say(("DISK %d %d"):format(image.exists and 1 or 0, sensor and emu.item(sensor):read(0) or 0))
  return true
end

local function answer()
  for place, cycles in pairs(looks_told) do say("LOOKS " .. place .. " " .. table.concat(cycles, ",")) end
  looks_told, look_count = {}, 0
  say(("DID %d"):format(machine.time:as_double() * CPU_HZ // 1))
end

-- Waits for the next order of somebody at the machine, which stands still meanwhile.
local function next_order()
  if set.live == 0 then return false end
  answer()
  local line = io.stdin:read("l")
  if not line then return false end
  orders[#orders + 1] = read_order(line)
  return true
end

local over = false

local function finish()
  over = true
  snap("final")
  for size, seen in pairs(executed) do
    local indexes = {}
    for index in pairs(seen) do indexes[#indexes + 1] = tostring(index) end
    say("LINES " .. size .. " " .. table.concat(indexes, ","))
  end
  if set.sound ~= 0 then say("SOUND " .. hex(table.concat(sound))) end
  say("KEYS " .. count_taken .. " " .. count_spared)
  say(("CYCLES %d"):format((machine.time:as_double() - first_time) * CPU_HZ // 1))
  local seconds = machine.time:as_double()
  for _, image in pairs(machine.images) do
    if image.exists then image:unload() end    -- which writes a disk back
  end
  say(("DONE %.2f"):format(seconds))
  os.exit(0, false)
end

local function fail(why)
  local size, index = where()
  say("FAIL " .. current - 1 .. " " .. phase .. " " .. why)
  if size then say("AT " .. size .. " " .. index) end
  if current <= own then finish() end
  release()
end

-- The machine time for an order is over: a job ends, somebody at the machine is told.
local function late()
  local waited = patience > 0 and frames - since >= patience
  if frames < set.limit and not waited then return false end
  fail("late")
  return true
end

local function note_line()
  local size, index = where()
  local elsewhere = size and known[size] and not asking[entry(size, index)]
  astray = elsewhere and astray + 1 or 0
  if not size then return end
  look_for_line()
  executed[size] = executed[size] or {}
  executed[size][index] = true
end

local cursor_code

local function frame()
  frames = frames + 1
  note_line()
  local codes = video:read_block(0, SCREEN_SIZE)
  if not codes:find(cursor_code, 1, true) then plain = codes end
  keyboard_frame()
  while current <= #orders or next_order() do
    local order = orders[current]
    if not actions[order.verb](order, frames - since) and not late() then return end
    current = current + 1
    phase, count, since, before = 0, 0, frames, ""
  end
  finish()
end

local function start()
  read_job()
  cursor_code = string.char((0x1E + set.offset) % 256)
  tap_keyboard()
  if set.sound ~= 0 or set.live ~= 0 then tap_sound() end
end

local fine, problem = pcall(start)
if not fine then
  say("FAIL 0 0 the driver: " .. tostring(problem))
  os.exit(0, false)
end

emu.register_frame_done(function()
  if over or not taps.thread then return end
  local works, trouble = pcall(frame)
  if not works then
    say("FAIL " .. current - 1 .. " 0 the driver: " .. tostring(trouble))
    os.exit(0, false)
  end
end)
