-- Follows a key script inside MAME: presses keys on the emulated keyboard, reads the screen from
-- video memory, and prints lines that begin with "@" for the Python side:
--   @SNAP name hex      a screen, 768 character codes
--   @FAIL text          a step that was never done
--   @NOTE text          something the Python side should know
--   @LINES n i,i,…     lines executed: of a line number table of n entries these (0: highest line)
--   @DONE seconds       emulated time at the end
-- The script is given as the table `steps`, made by the Python side; `offset` is what Extended
-- BASIC adds to character codes in video memory, `limit` the machine time in seconds.

local LOOK = 4
local NO_KEY = 0xFF
local KEY, LINE, TABLE_START, TABLE_END = 0x75, 0x2E, 0x30, 0x32

local vram = manager.machine.devices[":vdp"].spaces["vram"]

local function say(text)
  print("@" .. text)
  io.stdout:flush()
end

-- The console's scratchpad RAM (256 bytes at 8300h); nil where this MAME does not show it.
local function scratchpad()
  local device = manager.machine.devices[":scratchpad"]
  local name = device and device.items["0/m_pointer"]
  local item = name and emu.item(name)
  if item and item.count == 256 and item.size == 1 then return item end
  say("NOTE no scratchpad: keys are held for a fixed time")
  return nil
end

local pad = scratchpad()
local executed = {}

local function word(place)
  return pad:read(place) * 256 + pad:read(place + 1)
end

-- Notes the line that is being executed: 832Eh points into the line number table.
local function note_line()
  local at, first, last = word(LINE), word(TABLE_START), word(TABLE_END)
  local entries = (last + 1 - first) // 4
  if first < 0xA000 or entries < 1 or at < first or at > last then return end
  local seen = executed[entries] or {}
  executed[entries] = seen
  seen[(at - first) // 4] = true
end

local function frame()
  coroutine.yield()
  if pad then note_line() end
end

local function frames(count)
  for _ = 1, count do frame() end
end

local function late()
  return manager.machine.time.seconds >= limit
end

local function row(number)
  local codes = {}
  for column = 0, 31 do
    local code = (vram:read_u8(number * 32 + column) - offset) % 256
    codes[#codes + 1] = string.char(code)
  end
  return table.concat(codes)
end

local function shows(text)
  for number = 0, 23 do
    if row(number):find(text, 1, true) then return true end
  end
  return false
end

local function field(key)
  return manager.machine.ioport.ports[key[1]].fields[key[2]]
end

local function press(keys, value)
  for _, key in ipairs(keys) do field(key):set_value(value) end
end

local actions = {}

actions["until"] = function(step)
  while not shows(step.text) do
    if late() then
      say("FAIL never on the screen: " .. step.text)
      return false
    end
    frames(LOOK)
  end
  frames(step.after)
  return true
end

local function blind_key(step)
  press(step.keys, 1)
  frames(step.hold)
  press(step.keys, 0)
  frames(step.gap)
  return true
end

-- Waits for a keyboard scan that finds a key, or finds none; false when the time is over.
local function scanned(found, at_most)
  local waited = 0
  while (pad:read(KEY) ~= NO_KEY) ~= found do
    if late() or (at_most and waited >= at_most) then return false end
    frame()
    waited = waited + 1
  end
  return true
end

-- A key goes down when the last scan found none, and stays down until a scan has found it.
function actions.key(step)
  if not pad then return blind_key(step) end
  if not scanned(false, step.at_most) and not step.at_most then
    say("FAIL the program never asked for the key " .. step.name)
    return false
  end
  press(step.keys, 1)
  local seen = scanned(true, step.at_most)
  press(step.keys, 0)
  if not seen and not step.at_most then
    say("FAIL the program never read the key " .. step.name)
    return false
  end
  return true
end

function actions.wait(step)
  frames(step.frames)
  return true
end

function actions.rest(step)
  local same, before = 0, ""
  while same < step.frames do
    local now = {}
    for number = 0, 23 do now[#now + 1] = row(number) end
    local screen = table.concat(now)
    same = screen == before and same + LOOK or 0
    before = screen
    if late() then
      say("FAIL the screen never came to rest")
      return false
    end
    frames(LOOK)
  end
  return true
end

function actions.snap(step)
  local hex = {}
  for number = 0, 23 do
    hex[#hex + 1] = row(number):gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  end
  say("SNAP " .. step.name .. " " .. table.concat(hex))
  return true
end

local function tell_lines()
  for entries, seen in pairs(executed) do
    local indexes = {}
    for index in pairs(seen) do indexes[#indexes + 1] = tostring(index) end
    say("LINES " .. entries .. " " .. table.concat(indexes, ","))
  end
end

local function drive()
  for _, step in ipairs(steps) do
    if not actions[step.action](step) then break end
  end
  actions.snap({name = "final"})
  tell_lines()
  say("DONE " .. manager.machine.time.seconds)
  for _, image in pairs(manager.machine.images) do
    if image.exists then image:unload() end
  end
  os.exit(0, false)
end

local thread = coroutine.create(drive)
emu.register_frame_done(function()
  if coroutine.status(thread) == "dead" then return end
  local fine, problem = coroutine.resume(thread)
  if not fine then
    say("FAIL the driver: " .. tostring(problem))
    os.exit(0, false)
  end
end)
