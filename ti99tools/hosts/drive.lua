-- Follows a key script inside MAME: presses keys on the emulated keyboard, reads the screen from
-- video memory, and prints lines that begin with "@" for the Python side:
--   @SNAP name hex      a screen, 768 character codes
--   @FAIL text          a text that never came
--   @DONE seconds       emulated time at the end
-- The script is given as the table `steps`, made by the Python side; `offset` is what Extended
-- BASIC adds to character codes in video memory.

local LOOK = 4
local vram = manager.machine.devices[":vdp"].spaces["vram"]

local function say(text)
  print("@" .. text)
  io.stdout:flush()
end

local function frames(count)
  for _ = 1, count do coroutine.yield() end
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

local actions = {}

actions["until"] = function(step)
  local waited = 0
  while not shows(step.text) do
    if waited >= step.max then
      say("FAIL " .. step.text)
      return false
    end
    frames(LOOK)
    waited = waited + LOOK
  end
  frames(step.after)
  return true
end

function actions.key(step)
  for _, key in ipairs(step.keys) do field(key):set_value(1) end
  frames(step.hold)
  for _, key in ipairs(step.keys) do field(key):set_value(0) end
  frames(step.gap)
  return true
end

function actions.wait(step)
  frames(step.frames)
  return true
end

function actions.rest(step)
  local same, waited, before = 0, 0, ""
  while same < step.frames do
    local now = {}
    for number = 0, 23 do now[#now + 1] = row(number) end
    local screen = table.concat(now)
    same = screen == before and same + LOOK or 0
    before = screen
    if waited >= step.max then
      say("FAIL the screen to rest")
      return false
    end
    frames(LOOK)
    waited = waited + LOOK
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

local function drive()
  for _, step in ipairs(steps) do
    if not actions[step.action](step) then break end
  end
  actions.snap({name = "final"})
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
    say("FAIL " .. tostring(problem))
    os.exit(0, false)
  end
end)
