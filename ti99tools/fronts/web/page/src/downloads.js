// Downloads of a program: a disk, a cartridge, a page that plays it, or a link.

import { $, download } from "./dom.js";
import { pack } from "./packed.js";
import { linkTo } from "./share.js";

export class Downloads {
  /**
   * @param compiler gives the worker that compiles, so that a game goes on meanwhile
   * @param client the worker of the console, which makes disks
   * @param say tells the user something
   */
  constructor(programs, compiler, client, say) {
    Object.assign(this, { programs, compiler, client, say });
  }

  /** Download the program. @param form dsk, hfe, bin or html */
  async take(form) {
    const progress = $("#building");
    progress.hidden = false;
    $("#build").disabled = true;
    try {
      if (form === "html") await this.page((part) => (progress.value = part));
      else await this.made(form);
    } catch (error) {
      this.say(error.message, true);
    } finally {
      $("#build").disabled = false;
      progress.hidden = true;
      progress.removeAttribute("value");
    }
  }

  async made(form) {
    const { name, main, files } = this.programs;
    const client = form === "bin" ? this.compiler() : this.client;
    await client.call("put", { project: name, files });
    const { result, blob } = await client.call("build", { project: name, main, form });
    download(result, blob);
  }

  /** Make a single file from the studio and this program. */
  async page(tick) {
    const { name, main, files, examples } = this.programs;
    const title = examples.find((each) => each.name === name)?.title ?? name;
    download(`${name}.html`, await pack({ name, title, main, files }, tick), "text/html");
  }

  /** Put a link that plays the program into the address bar and onto the clipboard. */
  async share() {
    const { main, files } = this.programs;
    if (Object.keys(files).length > 1) return this.say("A link holds one small source; this program has several files.", true);
    const making = linkTo(main, files[main]);
    const copying = copied(making);
    const link = await making;
    if (!link) return this.say("The program is too long for a link: save it as a file.", true);
    history.replaceState(null, "", link);
    const isCopied = await copying;
    const where = isCopied ? "on the clipboard and in the address bar" : "in the address bar";
    this.say(`The link, which plays the program, is ${where}. The program is in it; nothing was sent.`);
  }
}

/** Put a text onto the clipboard that is still being made; gives whether it is there. */
async function copied(making) {
  // Safari allows it only at once after the click: the clipboard is handed a promise.
  const blob = async () => {
    const text = await making;
    if (!text) throw new Error("there is none");
    return new Blob([text], { type: "text/plain" });
  };
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob() })]);
    return true;
  } catch {
    return false;
  }
}
