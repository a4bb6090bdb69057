// The studio: puts the parts of the page together.

import { Client } from "./client.js";
import { $, $$, choose, download, tabs } from "./dom.js";
import { ACCEPTED, Disks } from "./disks.js";
import { DiskStore } from "./diskstore.js";
import { Editor } from "./editor.js";
import { Machine } from "./machine.js";
import { Programs } from "./programs.js";
import { Prove } from "./prove.js";
import { Server } from "./server.js";
import { linked, linkTo } from "./share.js";
import { Store } from "./store.js";
import { Variables } from "./variables.js";

const FIRST = "hello";
const ROOM = 880; // pixels of height that have room for the keys, too
const SOURCE = /\.(xb|bas|txt|b99|lst)$/i;

const store = new Store();
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
    await diskStore.restore();
    say("The console did not answer and was started anew.");
  },
});
const diskStore = new DiskStore(console_);
const desk = new Client({ broken });

const editor = new Editor($("#editor"), {
  change: (file, text) => programs.changed(file, text),
  points: () => machine.going && console_.call("break_at", { rows: editor.points() }),
  complete: async (row, column) => (await ask("completion", row, column)) ?? [],
  hover: async (row, column) => (await ask("hover", row, column))?.contents.value,
});
const programs = new Programs(store, editor, {
  opened: () => machine.on.stopped(null),
  error: (text) => say(text, true),
});
const disks = new Disks(console_, say, async () => {
  await machine.stop();
  await machine.boot();
  view("play");
}, () => diskStore.save());
const variables = new Variables(console_, show);
const prove = new Prove();
const machine = new Machine(console_, {
  stopped: (stop) => (stop ? stand(stop) : editor.stand(null)),
  failed: ({ file, row }) => row && file === programs.file && editor.stand(row),
  looked: () => pick("variables"),
  rests: () => diskStore.save(),
});
const server = new Server(desk, (file, found) => programs.found(file, found));
let tab = "help";
const pick = tabs($("#tabs"), (name) => {
  tab = name;
  if (!console_.running) return;
  if (name === "variables") variables.refresh();
  if (name === "disks") disks.refresh();
});

/** Tell the user something for a while. */
function say(text, isError = false) {
  const toast = $("#toast");
  toast.textContent = text;
  toast.className = isError ? "shown bad" : "shown";
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (toast.className = ""), isError ? 9000 : 4000);
}

function ask(what, row, column) {
  return programs.server ? server.ask(what, programs.name, programs.file, row, column) : null;
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

/** Run what is shown; its mistakes are told. */
async function run(debug) {
  const { name, main, files } = programs;
  $("#run").disabled = true;
  try {
    await machine.stop();
    await console_.call("put", { project: name, files });
    const rows = debug ? editor.points() : {};
    await machine.run(name, main, debug, rows);
    view("play");
    if (tab === "disks") disks.refresh();
  } catch (error) {
    const [first] = error.mistakes ?? [];
    say(error.message, true);
    if (first?.line) show(first.file?.split("/").pop() ?? main, first.line);
  }
  $("#run").disabled = false;
}

async function open(files) {
  for (const { name, data } of files) {
    const isSource = SOURCE.test(name);
    if (!isSource && (await console_.call("disk_take", { drive: "DSK1", name }, data.slice(0)).then(say, () => false)) !== false) {
      pick("disks");
      continue;
    }
    try {
      const text = await console_.call("open", { name }, data);
      const stem = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "-").toLowerCase() || "program";
      programs.add(stem, `${stem}.${/\.xb$/i.test(name) ? "xb" : "bas"}`, text);
    } catch (error) {
      say(error.message, true);
    }
  }
}

async function share() {
  if (Object.keys(programs.files).length > 1) return say("A link holds one small source; this program has several files.", true);
  const link = await linkTo(programs.main, programs.files[programs.main]);
  if (!link) return say("The program is too long for a link: save it as a file.", true);
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).catch(() => {});
  say("The link is in the address bar and on the clipboard. The program is in the link; nothing was sent.");
}

async function build() {
  const { name, main, files } = programs;
  try {
    await console_.call("put", { project: name, files });
    const { result, blob } = await console_.call("build", { project: name, main, form: $("#form").value });
    download(result, blob);
  } catch (error) {
    say(error.message, true);
  }
}

/** On small windows one part is seen at a time. */
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

/** Show the machine's keyboard, or not. */
function keypad(shown) {
  $("#keys").checked = shown;
  $("#keypad").hidden = !shown;
}

/** Start the second worker, which looks at sources, when it is needed first. */
async function wakeDesk() {
  if (desk.running || !machine.screen) return;
  await desk.start();
  programs.serve(server);
}

function wire() {
  $("#project").onchange = (event) => programs.open(event.target.value, example);
  $("#new").onclick = () => (view("write"), programs.fresh());
  $("#open").onclick = async () => open(await choose(`.xb,.bas,.txt,${ACCEPTED}`));
  $("#share").onclick = share;
  $("#remove").onclick = () => {
    if (!confirm(`Delete ${programs.name}?`)) return;
    const { name } = programs;
    programs.remove();
    programs.open(programs.examples.some((each) => each.name === name) ? name : FIRST, example);
  };
  $("#build").onclick = build;
  $("#theme").onchange = (event) => theme(event.target.value);
  $("#run").onclick = () => run(false);
  $("#debug").onclick = () => run(true);
  $("#pause").onclick = () => machine.pause();
  $("#stop").onclick = () => machine.stop();
  for (const input of $$("input[name=speed]")) {
    input.onchange = () => machine.setSpeed(input.value === "max" ? Infinity : Number(input.value));
  }
  $("#sound").onchange = (event) => machine.sound.set(event.target.checked);
  $("#keys").onchange = (event) => {
    keypad(event.target.checked);
    store.set("keypad", event.target.checked);
  };
  $("#stick").onchange = (event) => (machine.keys.joystick = machine.keypad.joystick = event.target.checked);
  $("#picture").onclick = async () => download(`${programs.name}.png`, await machine.screen.picture());
  $("#wide").onclick = () => $("#play").requestFullscreen?.();
  for (const button of $$("#steps button")) button.onclick = () => machine.go(button.dataset.pace);
  for (const button of $$("#views button")) button.onclick = () => view(button.dataset.view);
  document.addEventListener("keydown", shortcut, true);
  document.addEventListener("visibilitychange", () => document.hidden && diskStore.save());
  drop();
}

function shortcut(event) {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  const inScreen = document.activeElement === $("#screen");
  let work = null;
  if (key === "Enter" && (ctrlKey || metaKey)) work = () => run(shiftKey);
  else if (key === "F5" && shiftKey) work = () => machine.stop();
  else if (machine.state?.stop) {
    const pace = { F8: "run", F10: "over", F11: shiftKey ? "out" : "step" }[key];
    if (pace) work = () => machine.go(pace);
  } else if (key === "F10" && inScreen) work = () => machine.pause();
  if (!work) return;
  event.preventDefault();
  event.stopPropagation();
  work();
}

/** Files can be dropped anywhere. */
function drop() {
  const has = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    $("#drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) $("#drop").hidden = true;
  });
  document.addEventListener("drop", async (event) => {
    if (!has(event)) return;
    event.preventDefault();
    $("#drop").hidden = true;
    const files = [...event.dataTransfer.files];
    open(await Promise.all(files.map(async (file) => ({ name: file.name, data: await file.arrayBuffer() }))));
  });
}

const example = (name) => console_.call("example", { name });

/** The service worker first: then what is loaded is kept at once, and fetched only once. */
async function keep() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    if (navigator.serviceWorker.controller) return;
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, 1500))]);
  } catch {
    // Without it the studio works all the same, online.
  }
}

async function begin() {
  theme(store.settings.theme ?? "auto");
  const small = matchMedia("(max-width: 800px), (max-height: 500px)").matches;
  keypad(store.settings.keypad ?? (small || innerHeight >= ROOM));
  view("play");
  await keep();
  const hello = await console_.start();
  await diskStore.restore();
  programs.examples = hello.examples;
  machine.begin(hello);
  wire();
  const shared = await linked(location.hash);
  if (shared) {
    const file = /^[\w-]+\.(xb|bas)$/.test(shared.file) ? shared.file : "shared.xb";
    programs.add(file.replace(/\..*$/, ""), file, shared.text);
    history.replaceState(null, "", location.pathname);
  } else if (!(await programs.open(store.settings.current ?? FIRST, example))) {
    await programs.open(FIRST, example);
  }
  prove.begin(hello.provable);
  $("#cover").hidden = true;
  document.body.classList.add("ready");
  performance.mark("ready");
  if (!small) await wakeDesk();
  navigator.serviceWorker?.controller?.postMessage("keep");
}

window.studio = { machine, programs, editor, store };
begin().catch((error) => broken({ text: String(error.stack ?? error) }));
