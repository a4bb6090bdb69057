// The studio: puts the parts of the page together.

import { Bin } from "./bin.js";
import { Client } from "./client.js";
import { $, $$, choose, download, sure, tabs } from "./dom.js";
import { ACCEPTED, Disks } from "./disks.js";
import { Debugging } from "./debugging.js";
import { DiskStore } from "./diskstore.js";
import { Downloads } from "./downloads.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { FetchBack } from "./fetchback.js";
import { Gamepad } from "./gamepad.js";
import { Learn } from "./learn.js";
import { Machine } from "./machine.js";
import { Memory } from "./memory.js";
import { keep } from "./offline.js";
import { packedProgram, unpack } from "./packed.js";
import { Programs } from "./programs.js";
import { dropping, Projects } from "./projects.js";
import { Prove } from "./prove.js";
import { Room } from "./room.js";
import { addressed, Rooms } from "./rooms.js";
import { Runs } from "./runs.js";
import { followed as follow } from "./share.js";
import { shortcuts } from "./shortcuts.js";
import { States } from "./states.js";
import { Store } from "./store.js";
import { keypad, switches } from "./switches.js";
import { Tree } from "./tree.js";
import { Tuning } from "./tuning.js";

const FIRST = "hello";
const DISKS = 5000; // milliseconds between two looks whether disks have changed
const ROOM = 880; // least height in pixels with room for the keyboard too

const NOTHING_KEPT =
  "This browser keeps nothing here: it is a private window, or storage is switched off. " +
  "Take your program with you before you close this page.";
const NO_ROOM = "The browser has no room left to keep this program: take it with you, or delete others.";

const store = new Store({
  changed: (name, to) => {
    if (to && name === programs.name) {
      programs.rename(name, to);
      return say(`${name} is called ${to} now: it was renamed in another tab.`);
    }
    programs.follow(name);
    if (name === programs.name && !(name in store.projects)) {
      say(`${name} was deleted in another tab. It is kept again as soon as you change it.`, true);
    }
  },
  split: (name, copy) => {
    programs.rename(name, copy);
    diskStore.copy(name, copy);
    say(`${name} was changed in another tab at the same time. What you wrote here is ${copy} now.`, true);
  },
  failed: (why) => {
    if (store.told !== why) say(why === "full" ? NO_ROOM : NOTHING_KEPT, true);
    store.told = why;
  },
  kept: () => (store.told = ""),
});
const progress = ({ text }) => ($("#loading").textContent = text);
const broken = ({ text }) => {
  $("#cover").hidden = false;
  const said = text.split("\n").filter((line) => /^[\w.]*(Error|Exception)\b/.test(line.trim()));
  $("#loading").textContent = `Something is broken: ${said.pop() ?? text}`;
  console.error(text);
};

const console_ = new Client({
  progress,
  broken,
  frame: (data) => machine.frame(data),
  restarted: async () => {
    diskStore.forget();
    say("The console did not answer and was started anew.");
  },
});
const diskStore = new DiskStore(console_, {
  told: async () => {
    if (machine.going) return;
    await diskStore.again();
    showDisks();
  },
  written: showDisks,
  split: (owner, drive) => {
    say(`The disk in ${drive} of ${owner} was changed in another tab, too. Both are kept: see Disks.`, true);
    showDisks();
  },
  failed: () => {
    if (!diskStore.told) say("The browser cannot keep the disks: save those that you need, in Disks.", true);
    diskStore.told = true;
  },
});
const desk = new Client({ broken });

const editor = new Editor($("#editor"), {
  change: (file, text) => {
    programs.changed(file, text);
    debugging.points();
    prove.follow();
    drawing.follow();
    tuning.follow();
    runs.tell();
    rooms.changed();
  },
  locked: () => {
    $("#whose").classList.add("asked");
    say("This program is shipped with the studio. “Make my own copy” gives you one that you can change.");
  },
  moved: () => programs.remember(),
  points: () => {
    programs.remember();
    debugging.changed();
  },
  complete: async (row, column) => (await programs.ask("completion", row, column)) ?? [],
  hover: async (row, column) => (await programs.ask("hover", row, column))?.contents.value,
});
const bin = new Bin();
const programs = new Programs(store, editor, {
  replaced: (file, text) => bin.add({ kind: "file", name: file, owner: programs.name, text, why: "replaced" }),
  listed: (groups) => tree.show(groups),
  opened: () => {
    renew();
    rooms.opened();
    machine.on.stopped(null);
    prove.follow();
    drawing.follow();
    tuning.follow();
    runs.tell();
    debugging.opened();
  },
  error: (text) => say(text, true),
});
const projects = new Projects(console_, programs, {
  say,
  opened: () => view("write"),
  hush: () => ($("#toast").className = ""),
  disks: async (name, data, open) => {
    const { program } = await disks.look(name, data);
    const owner = program ? open(program[1]) : programs.name; // a program of its own has drives of its own
    const told = await disks.put(name, data, "DSK1", owner);
    if (told) say(program ? `${told}, and its program ${program[0]} is in the editor` : told);
    pick("disks");
  },
  copied: (name, copy) => diskStore.copy(name, copy),
  renamed: (old, name) => diskStore.move(old, name),
  removed: (file, text) => bin.add({ kind: "file", name: file, owner: programs.name, text, why: "removed" }),
});
const disks = new Disks(console_, {
  owner: () => programs.name, say, store: diskStore, bin, fetch: () => fetchBack.show(),
  boot: async () => {
    await runs.boot();
    view("play");
  },
});
const fetchBack = new FetchBack(bin, say, {
  state: (thing) => states.back(thing),
  disk: (thing) => disks.back(programs.knows(thing.owner) ? thing : { ...thing, owner: programs.name }),
  program: async ({ name, record, disks: all }) => {
    const found = programs.bring(name, record);
    for (const each of all) await disks.back({ ...each, owner: found });
    say(`${found} is here again.`);
  },
  file: async ({ name, owner, text }) => {
    if (!programs.knows(owner)) return void programs.bring(owner, { main: name, files: { [name]: text } });
    if (programs.name !== owner) await programs.open(owner, example);
    if (programs.name !== owner) return false; // something was opened after it
    const now = programs.files[name];
    if (now) await bin.add({ kind: "file", name, owner, text: now, why: "replaced" });
    if (programs.name !== owner) return false;
    programs.put({ ...programs.files, [name]: text }, programs.main, name);
    say(`${name} of ${owner} is as it was.`);
  },
});
const tree = new Tree(programs, { show: (file) => file in programs.files && (programs.show(file), followed()), go: show, alone: () => editor.search() });
const room = new Room(store);
const downloads = new Downloads(programs, () => (desk.running ? desk : console_), console_, say);
const learn = new Learn(programs, store, {
  ran: () => runs.isInEditor,
  write: () => view("write"),
});
const drawing = new Drawing(programs, editor, say);
const prove = new Prove(programs, (name) => programs.open(name, example));
const machine = new Machine(console_, {
  stopped: (stop) => (stop ? stand(stop) : editor.stand(null)),
  failed: ({ file, row }) => row && file === programs.file && editor.stand(row),
  looked: () => pick("variables"),
  returns: () => runs.returns(),
  rests: () => {
    if (tab === "variables") debugging.refresh();
    return diskStore.save();
  },
  read: (text) => rooms.offer(text),
});
const runs = new Runs({ programs, editor, machine, client: console_, disks, diskStore, bin }, {
  debugs: () => debugging.wish,
  say, show,
  started: (why) => {
    room.fold("console", false);
    debugging.changed(); // what was changed while the program was being built, and what is wrong with it
    if (why) say(`Runs in Extended BASIC, since it does not compile: ${why}`, true);
    view("play");
    renew();
  },
});
const debugging = new Debugging(console_, { editor, machine, programs }, { show, say });
const memory = new Memory(console_, () => machine.going);
const states = new States({ machine, client: console_, runs, bin, disks, titles: () => rooms.titles }, say);
const tuning = new Tuning(programs, editor, machine.sound);
const gamepad = new Gamepad(
  (key, way) => machine.key(key, way),
  (x, y, fire) => machine.going && console_.call("joystick", { x, y, fire }),
);
const rooms = new Rooms({ machine, programs, store, gamepad, client: console_ }, {
  example, keypad, say, show,
  follow: () => follow(programs, store, example, say),
  start: (...wish) => runs.start(...wish),
  present: () => runs.present,
  edit: async (tool, isNarrow) => {
    keypad(Boolean(store.setting("keypad") ?? (isNarrow || innerHeight >= ROOM)));
    if (tool) pick(tool);
    view(tool ? "tools" : isNarrow ? "write" : "play");
    if (!isNarrow) await wakeDesk();
  },
});
let tab = "help";
const pick = tabs($("#tabs"), (name) => {
  tab = name;
  drawing.isShown = name === "draw";
  if (!console_.running) return;
  if (name === "draw") drawing.open();
  if (name === "tune") tuning.open();
  if (name === "memory") memory.open();
  renew();
});

/** The files of a shipped program. */
function example(name) {
  const own = packedProgram();
  if (own?.name === name) return own.files;
  return console_.call("example", { name });
}

/** Show the user a message for a while. */
function say(text, isError = false) {
  const toast = $("#toast");
  toast.textContent = text;
  toast.className = isError ? "shown bad" : "shown";
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (toast.className = ""), isError ? 9000 : 4000);
}

/** Show in the tool that is open what belongs to the program that was opened or started. */
function renew() {
  if (!console_.running) return;
  showDisks();
  if (tab === "variables") debugging.refresh();
}

/** Show the drives anew if they are what is seen. */
function showDisks() {
  if (tab === "disks") disks.refresh();
}

/** Let the tools follow the file in the editor. */
function followed() {
  drawing.follow();
  tuning.follow();
}

/** Show a row of a file of the project. */
function show(file, row) {
  if (file !== programs.file && file in programs.files) programs.show(file);
  if (file === programs.file) editor.go(row);
}

function stand({ file, row }) {
  if (file !== programs.file && file in programs.files) programs.show(file);
  if (file === programs.file) editor.stand(row);
}

/** Choose the part that is seen, in windows with room for one at a time. */
function view(name) {
  document.body.dataset.view = name;
  for (const button of $$("#views button")) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (name !== "play") wakeDesk();
}

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  $("#theme").value = name;
  store.set("theme", name);
}

/** Start the second worker, which checks sources, when it is first needed. */
async function wakeDesk() {
  if (desk.running || !machine.screen || document.body.dataset.room !== "edit") return;
  await desk.start();
  programs.serve(desk);
}

function wire() {
  $("#project").onchange = (event) => programs.open(event.target.value, example);
  $("#files").onchange = (event) => {
    programs.show(event.target.value);
    followed();
  };
  room.begin();
  $("#new").onclick = () => (view("write"), programs.fresh());
  $("#open").onclick = async () => projects.open(await choose(`.xb,.bas,.txt,.zip,${ACCEPTED}`));
  $("#share").onclick = () => downloads.share();
  $("#remove").onclick = async () => {
    const { name } = programs;
    if (!(await sure(`Delete ${name}?`, "Delete"))) return;
    const turn = programs.turn();
    if (runs.present?.name === name) await machine.stop();
    await bin.add({ kind: "program", name, record: programs.record, disks: await diskStore.of(name), why: "deleted" });
    await store.remove(name);
    await diskStore.drop(name);
    await programs.open(FIRST, example, turn);
  };
  $("#back").onclick = () => fetchBack.show();
  $("#build").onclick = () => downloads.take($("#form").value);
  $("#theme").onchange = (event) => theme(event.target.value);
  for (const button of [$("#run"), $("#run-here")]) button.onclick = () => runs.run(false);
  $("#debug").onclick = () => runs.run(true);
  $("#stop").onclick = () => machine.stop();
  $("#reset").onclick = () => rooms.again();
  states.wire();
  $("#compiled").checked = store.setting("compiled") ?? false;
  $("#compiled").onchange = (event) => store.set("compiled", event.target.checked);
  switches({ machine, gamepad, store });
  // An iPhone shows nothing but films in the full screen.
  $("#full").hidden = $("#wide").hidden = !document.fullscreenEnabled;
  $("#full").onclick = () => document.documentElement.requestFullscreen?.();
  $("#picture").onclick = async () => download(`${programs.name}.png`, await machine.screen.picture());
  $("#wide").onclick = () => $("#play").requestFullscreen?.();
  for (const button of $$("#steps [data-pace]")) button.onclick = () => machine.go(button.dataset.pace);
  for (const button of $$("#steps [data-back]")) button.onclick = () => machine.back(button.dataset.back);
  for (const button of $$("#views button")) button.onclick = () => view(button.dataset.view);
  projects.wire();
  shortcuts({ machine, runs, tree });
  addEventListener("pagehide", () => programs.remember(0));
  document.addEventListener("visibilitychange", () => document.hidden && diskStore.save());
  setInterval(() => machine.going && !document.hidden && diskStore.save(), DISKS);
  dropping(projects, (error) => say(error.message, true));
}

async function begin() {
  theme(store.setting("theme") ?? "auto");
  await unpack();
  const own = packedProgram();
  if (own && !location.hash) history.replaceState(null, "", `#play=${own.name}`);
  if (own) $("option[value=html]").remove(); // this page is that file
  rooms.begin();
  await keep();
  const [hello] = await Promise.all([console_.start(), store.open()]);
  await diskStore.adopt(store.setting("current") ?? FIRST, hello.examples.map(({ name }) => name));
  if (own) hello.examples = [{ ...own, kind: "sample" }, ...hello.examples.filter(({ name }) => name !== own.name)];
  const moved = await programs.ship(hello.examples, example);
  machine.begin(hello);
  wire();
  const playing = addressed().room === "play";
  if (playing) document.body.classList.add("ready");
  if (playing) $("#cover").hidden = true;
  if (playing) await rooms.arrive();
  const { room, name: asked } = addressed();
  for (const name of [room === "edit" && asked, store.setting("current"), FIRST]) {
    if (name && (await programs.open(name, example))) break; // at the place where it was left
  }
  if (moved.length) say(`What you changed of shipped programs is yours under a name of its own: ${moved.join(", ")}.`);
  if (store.damaged.length) say(`Damaged, and left as it is in this browser: ${store.damaged.join(", ")}.`, true);
  prove.begin(hello);
  drawing.begin(hello.palette);
  learn.begin();
  $("#cover").hidden = true;
  document.body.classList.add("ready");
  performance.mark("ready");
  if (!playing) await rooms.arrive();
  navigator.serviceWorker?.controller?.postMessage("keep");
}

addEventListener("beforeunload", (event) => store.unkept.size + programs.loose.size && event.preventDefault());
window.studio = { machine, programs, editor, store, diskStore, bin };
if (!document.documentElement.classList.contains("old")) begin().catch((error) => broken({ text: `${error}\n${error.stack ?? ""}` }));
