// Saved states of the play room, and going back by ten seconds: the run is played again up to that moment.

import { database, done, kept, stamp } from "./database.js";
import { $, download, make, sure } from "./dom.js";

const NAME = "ti99tools.states";
const TABLE = "states";
const MOST = 10; // states of one program
const BACK = 10; // seconds that one press goes back
const SLICE = 0.15; // seconds of playing again between two looks at the page
const CPU_HZ = 3e6;

export class States {
  /**
   * @param parts {machine, client, runs, bin, disks}, and `titles`, which gives a Map of the games' titles by name
   * @param say shows a message: (text, isError)
   */
  constructor(parts, say) {
    Object.assign(this, parts, { say });
  }

  wire() {
    $("#rewind").onclick = () => this.tried(() => this.rewind());
    $("#states").onclick = () => this.tried(() => this.show());
  }

  async tried(work) {
    try {
      await work();
    } catch (error) {
      if (error.broken) throw error;
      this.say(error.message, true);
    }
  }

  async table(mode) {
    this.base ??= await database(NAME, TABLE, "key");
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  /** The states of a program, newest first. */
  async of(name) {
    const all = await this.table("readonly").then((table) => done(table.getAll())).catch(() => []);
    return all.filter(({ project }) => project === name).sort((one, other) => (one.key < other.key ? 1 : -1));
  }

  /** What the play room calls a program. */
  title(name) {
    return this.titles().get(name) ?? name;
  }

  /** The program on the screen, even if it was stopped. Throws an error if there is none. */
  get name() {
    if (!this.runs.ran?.files) throw new Error("Nothing runs that could be saved: start it first.");
    return this.runs.ran.name;
  }

  /** Go on with what was there before, unless it was stopped. */
  async goOn() {
    if (this.machine.going) await this.machine.goOn();
  }

  /** The dialog with the states of the program on the screen. */
  async show() {
    const { name } = this;
    await this.machine.hold();
    const states = await this.of(name);
    const isFull = states.length >= MOST, isOff = !this.machine.going;
    const list = states.length
      ? make("ul", { class: "things" }, ...states.map((each) => this.item(each)))
      : make("p", {}, "There is none yet.");
    const rule = isFull ? `There are ${MOST}, which is the most: delete one before you save another.` : `At most ${MOST} for each program, kept in this browser.`;
    let next = () => this.goOn();
    const then = (work) => () => {
      next = work;
      $("#dialog").close();
    };
    const button = (label, work, more = {}) => make("button", { type: "button", onclick: then(work), ...more }, label);
    $("#dialog").replaceChildren(make("form", { method: "dialog" },
      make("h2", {}, `Saved states of ${this.title(name)}`), make("p", { class: "quiet" }, rule), list,
      make("div", { class: "bar" },
        button("Save this moment", () => this.tried(() => this.save(name)), { class: "primary", disabled: isFull || isOff }),
        button("GIF of the last seconds", () => this.tried(() => this.film(name)), { disabled: isOff }),
        make("button", { value: "", autofocus: true }, isOff ? "Close" : "Go on"))));
    for (const [at, each] of [...$("#dialog").querySelectorAll("li")].entries()) {
      const [load, remove] = each.querySelectorAll("button");
      load.onclick = then(() => this.tried(() => this.load(states[at])));
      remove.onclick = then(() => this.tried(() => this.remove(states[at])));
    }
    $("#dialog").onclose = () => next();
    $("#dialog").showModal();
  }

  item({ when, end, picture }) {
    const image = make("img", { src: picture, width: 72, height: 56, alt: "" });
    const time = new Date(when).toLocaleString();
    const button = (label) => make("button", { type: "button", "aria-label": `${label} the state of ${time}` }, label);
    return make("li", {}, image, make("span", {}, make("b", {}, time), ` after ${minutes(end / CPU_HZ)}`), button("Load"), button("Delete"));
  }

  /** Keep this moment of the program on the screen. */
  async save(name) {
    const { result, blob } = await this.client.call("state_save");
    const when = new Date().toISOString();
    const picture = this.machine.screen.canvas.toDataURL("image/png");
    await this.put({ ...result, key: `${when} ${stamp()}`, when, picture, data: blob });
    await this.goOn();
    this.say(`This moment of ${this.title(name)} is saved.`);
  }

  async put(record) {
    try {
      const table = await this.table("readwrite");
      table.put(record);
      await kept(table.transaction);
    } catch (error) {
      await this.goOn();
      throw new Error(error?.name === "QuotaExceededError" ? "The browser has no room left for a saved state." : "This browser keeps nothing here, so the state is not saved.");
    }
  }

  async remove(record) {
    if (await sure(`Delete the state of ${new Date(record.when).toLocaleString()}?`, "Delete")) {
      await this.bin.add({ ...record, kind: "state", name: record.project, why: "deleted", saved: record.when });
      const table = await this.table("readwrite");
      table.delete(record.key);
      await kept(table.transaction);
    }
    await this.show();
  }

  /** Put a state that was deleted back. */
  async back({ kind, name, why, saved, when, ...record }) {
    if ((await this.of(record.project)).length >= MOST) throw new Error(`${name} has ${MOST} saved states: delete one first.`);
    await this.put({ ...record, when: saved, key: `${saved} ${stamp()}` });
    this.say(`The state of ${this.title(name)} is there again.`);
  }

  /** Go on from a state. */
  async load({ data, version }) {
    const { files } = await this.client.call("state_load", {}, data.slice());
    const told = await this.played();
    if (!told) return;
    const other = `The state was saved by ti99tools ${version}, and this version does not come to the same screen. Play on from what it came to?`;
    const isTaken = (told.same || (await sure(other, "Play on", ""))) && (await this.isGiven(told.lost));
    await this.end(isTaken, files);
  }

  /** Ask whether files may become what they were; if so, the disks are kept as they are now. */
  async isGiven(lost) {
    if (!lost.length) return true;
    const names = lost.map(({ drive, files }) => `${files.join(", ")} in ${drive}`).join("; ");
    if (!(await sure(`Load it? The disk becomes what it was then, too: ${names}.`, "Load"))) return false;
    for (const { drive } of lost) await this.disks.toBin(this.name, drive, "replaced by a saved state's");
    return true;
  }

  /** Go back by some seconds of machine time. */
  async rewind() {
    if (!this.machine.going || this.isBusy) return;
    await this.machine.hold();
    await this.client.call("rewind", { seconds: BACK }).catch(async (error) => {
      await this.goOn();
      throw error;
    });
    if (await this.played()) await this.end(true);
  }

  /** Play what was begun again to its end; null if it was cancelled. */
  async played() {
    this.isBusy = true;
    const bar = make("progress", { max: 1, value: 0, "aria-label": "Playing again" });
    const cancel = make("button", { value: "" }, "Cancel");
    let isLeft = false;
    try {
      for (let slices = 0; ; slices++) {
        const told = await this.client.call("return_work", { seconds: SLICE });
        if (told.done) {
          $("#dialog").onclose = null;
          $("#dialog").close();
          return told;
        }
        bar.value = told.share;
        if (slices === 1) {
          $("#dialog").replaceChildren(make("form", { method: "dialog" }, make("h2", {}, "Playing again up to that moment…"), bar, make("div", { class: "bar" }, cancel)));
          $("#dialog").onclose = () => (isLeft = true);
          $("#dialog").showModal();
        }
        if (isLeft) {
          await this.end(false);
          return null;
        }
      }
    } finally {
      this.isBusy = false;
    }
  }

  /** Go on from what was played again (`isTaken`), or from what was there before. */
  async end(isTaken, files) {
    if (!isTaken) {
      await this.client.call("return_drop");
      return this.goOn();
    }
    await this.client.call("return_take");
    if (files && this.runs.ran) this.runs.ran.files = files;
    this.machine.returned();
    this.runs.tell();
  }

  /** Download the last seconds as an animation. */
  async film(name) {
    const data = this.machine.film.gif(this.machine.looks);
    if (data) download(`${name}.gif`, data, "image/gif");
    await this.goOn();
  }
}

function minutes(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
