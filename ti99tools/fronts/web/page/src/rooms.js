// The page's rooms, named by its address: the shop window, a game in the whole window, the studio.

import { $, $$, download, narrow, sure } from "./dom.js";
import { keysOf, show as showKeys } from "./games.js";
import { isPacked } from "./packed.js";

const ROOMS = { play: "play", edit: "edit", disks: "edit", help: "edit", prove: "edit", xb: "edit", open: "edit", run: "play" };
const TOOLS = ["disks", "help", "prove"];

/** What the address asks for: the room, the word that names it, and the program or tool there. */
export function addressed() {
  const [, word = "", name = ""] = /^#(\w*)(?:=(.*))?$/.exec(location.hash) ?? [];
  return { room: ROOMS[word] ?? "shop", word, name };
}

/** Whether two programs have the same files. */
const isSame = (one, other) => Object.keys({ ...one, ...other }).every((file) => one[file] === other[file]);

export class Rooms {
  /**
   * @param parts machine, programs, store, gamepad and the client of the console
   * @param on.example (name) → the files of a shipped program
   * @param on.start starts a program: (name, main, files, debug)
   * @param on.follow takes the program in the address; gives its name
   * @param on.edit shows the studio: (tool or "")
   * @param on.keypad shows or hides the machine's keyboard
   * @param on.show shows a row of a file of the program in the editor
   * @param on.present gives {name, files} of the program that is on the console, or null
   * @param on.say tells the user something: (text, isError)
   */
  constructor(parts, on) {
    Object.assign(this, parts);
    this.on = on;
    const cards = $$("#shop article");
    this.titles = new Map(cards.map((card) => [$(".play", card).hash.slice("#play=".length), $("h2", card).textContent]));
  }

  /** Show a room at once, before Python is ready, and follow the address from then on. */
  begin() {
    this.hold(this.store.setting("still") ?? false);
    // The link with its name is for the keyboard; a picture is as good to click.
    for (const tube of $$("#shop .tube")) tube.onclick = () => (location.hash = $(".play", tube.parentElement).hash);
    $("#still").onclick = () => this.hold($("#still").getAttribute("aria-pressed") !== "true");
    this.enter();
    addEventListener("hashchange", () => (document.body.classList.contains("ready") ? this.arrive() : this.enter()));
  }

  enter() {
    const { room, word, name } = addressed();
    const before = document.body.dataset.room;
    document.body.dataset.room = room;
    $("#wrong").hidden = true;
    if (room === "play") {
      $("#playing").textContent = word === "run" ? "" : this.titles.get(name) ?? name;
      $("#cover").style.setProperty("--poster", this.titles.has(name) && !isPacked() ? `url("pictures/${name}.png")` : "none");
      $("#change").href = `#edit=${name}`;
      document.body.dataset.view = "play";
    }
    if (room !== before) scrollTo(0, 0);
  }

  /** Do what the address asks for, once Python is ready. */
  async arrive() {
    this.enter();
    const { room, word, name } = addressed();
    try {
      if (word === "disk") await this.takeDisk(name);
      else if (word === "run") await this.playLinked();
      else if (room === "shop") await this.machine.hold();
      else if (room === "play") await this.play(name);
      else await this.edit(word, name);
    } catch (error) {
      if (error.broken) throw error;
      this.on.say(error.message, true);
    }
  }

  async edit(word, name) {
    this.gamepad.game = "";
    if (word === "xb" || word === "open") {
      await this.on.follow();
      history.replaceState(null, "", "#edit");
    } else if (name === this.programs.name) {
      this.programs.stay();
    } else if (name && !(await this.programs.open(name, this.on.example))) {
      history.replaceState(null, "", `#${word}`);
      this.on.say(`There is no program ${name}.`, true);
    }
    if (this.mistake) this.on.show(...this.mistake);
    this.mistake = null;
    await this.on.edit(TOOLS.includes(word) ? word : "", narrow());
  }

  /** Correct an address that names or holds a program other than the one in the editor. */
  opened() {
    const { word, name } = addressed();
    const isOther = word === "edit" && name && name !== this.programs.name;
    if (isOther && document.body.classList.contains("ready")) history.replaceState(null, "", "#edit");
    this.changed();
  }

  /** The text in the editor is another than the one that was shared: a reload must not bring that back. */
  changed() {
    const isShared = addressed().word === "run" && document.body.dataset.room === "edit";
    if (isShared) history.replaceState(null, "", "#edit");
  }

  /** Play the program that is in the address. */
  async playLinked() {
    const name = await this.on.follow();
    history.replaceState(null, "", name ? `#play=${name}` : "#edit");
    await this.arrive();
  }

  /** A game in the whole window. */
  async play(name) {
    const game = this.programs.examples.find((each) => each.name === name) ?? this.store.projects[name];
    if (!game) {
      location.hash = "";
      return this.on.say(`There is no program ${name}.`, true);
    }
    this.on.keypad(false);
    this.gamepad.game = name;
    const files = game.files ?? (await this.on.example(name));
    if (await this.goesOn(name, files)) return;
    this.offer("");
    await this.launch(name, game.main, files);
  }

  /** Go on with a match that was left; gives false if a new one has to begin. */
  async goesOn(name, files) {
    const { machine } = this;
    const present = this.on.present();
    if (!present) return false;
    const isIt = present.name === name && isSame(present.files, files) && !machine.state?.stop;
    if (isIt && machine.touched) {
      await machine.goOn();
      this.on.say(`${this.titles.get(name) ?? name} goes on where you left it. Reset starts it again.`);
      return true;
    }
    const before = this.titles.get(present.name) ?? present.name;
    const isLost = present.name !== name && machine.touched && machine.state?.running;
    if (!isLost || (await sure(`End ${before}, which has not ended?`, "End it", ""))) return false;
    location.hash = "";
    return true;
  }

  /** Start a program in the whole window; if it does not build, say what is wrong and where. */
  async launch(name, main, files) {
    this.last = [name, main, files];
    $("#wrong").hidden = true;
    try {
      await this.on.start(name, main, files, false);
    } catch (error) {
      if (error.broken) throw error;
      const [first] = error.mistakes ?? [];
      this.mistake = first?.line ? [first.file?.split("/").pop() || main, first.line] : null;
      $("#wrong p").textContent = error.message;
      $("#wrong a").href = `#edit=${name}`;
      $("#wrong").hidden = false;
      $("#wrong a").focus();
    }
  }

  /** Start the program in the whole window again. */
  again() {
    return this.launch(...this.last);
  }

  /** Show the keys that answer what is on the screen of the game. */
  offer(text) {
    if (this.gamepad.game) showKeys($("#named"), keysOf(this.gamepad.game, text), (key, way) => this.machine.key(key, way));
  }

  /** Download the disk of a shipped game, as `build` writes it. */
  async takeDisk(name) {
    history.replaceState(null, "", "#");
    const game = this.programs.examples.find((each) => each.name === name);
    if (!game) return;
    this.on.say(`Making the disk of ${game.title}…`);
    await this.client.call("put", { project: name, files: await this.on.example(name) });
    const { result, blob } = await this.client.call("build", { project: name, main: game.main, form: "dsk" });
    download(result, blob);
  }

  /** Stop or start the animated pictures of the shop window. */
  hold(isStill) {
    $("#still").setAttribute("aria-pressed", String(isStill));
    $("#still").textContent = isStill ? "Let the pictures move" : "Pause the pictures";
    for (const image of $$("#shop img")) image.src = image.src.replace(/\.\w+$/, isStill ? ".png" : ".gif");
    this.store.set("still", isStill);
  }
}
