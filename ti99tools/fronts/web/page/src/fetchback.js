// The dialog with what was replaced or deleted last: each thing can be fetched back.

import { $, make } from "./dom.js";
import { LAST } from "./bin.js";

const KINDS = { disk: "disk", program: "program", file: "text", state: "saved state" };

export class FetchBack {
  /** @param into by kind of thing: puts it back where it was; gives false if it was not done */
  constructor(bin, say, into) {
    Object.assign(this, { bin, say, into });
  }

  async show() {
    const things = await this.bin.all();
    const list = things.length
      ? make("ul", { class: "things" }, ...things.map((thing) => this.item(thing)))
      : make("p", {}, "Nothing was replaced or deleted.");
    const rule = `The last ${LAST} programs, texts and disks that were replaced or deleted are kept in this browser.`;
    $("#dialog").replaceChildren(make("form", { method: "dialog" },
      make("h2", {}, "Fetch back"), make("p", { class: "quiet" }, rule), list,
      make("div", { class: "bar" }, make("button", { value: "", autofocus: true }, "Close"))));
    $("#dialog").onclose = null;
    $("#dialog").showModal();
  }

  item(thing) {
    const { kind, name, owner, drive, why, when } = thing;
    const of = drive ? ` from ${drive} of ${owner}` : owner ? ` of ${owner}` : "";
    const back = make("button", { type: "button", "aria-label": `Fetch back ${KINDS[kind]} ${name}`, onclick: () => this.back(thing) }, "Fetch back");
    return make("li", {}, make("span", {}, make("b", {}, name), ` ${KINDS[kind]}${of}, ${why} ${new Date(when).toLocaleString()}`), back);
  }

  async back(thing) {
    $("#dialog").close();
    try {
      if ((await this.into[thing.kind](thing)) !== false) await this.bin.remove(thing.key);
    } catch (error) {
      this.say(error.message, true);
    }
  }
}
