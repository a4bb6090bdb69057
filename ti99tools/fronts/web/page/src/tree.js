// The files of a program as a list, and a search over all of them.

import { $, make } from "./dom.js";

const MOST = 200; // places of a search that are shown
const ROW = 80; // characters of a row that are shown

/** Where a text is in files: [{file, row, text}], rows from 1; upper and lower case count the same. */
export function found(files, wish) {
  const word = wish.toLowerCase();
  return Object.keys(files).sort().flatMap((file) => files[file].split("\n").flatMap((text, at) =>
    (text.toLowerCase().includes(word) ? [{ file, row: at + 1, text: text.trim().slice(0, ROW) }] : [])));
}

export class Tree {
  /**
   * @param on.show shows a file: (name)
   * @param on.go shows a row of a file: (name, row)
   * @param on.alone searches the file that is shown
   */
  constructor(programs, on) {
    Object.assign(this, { programs, on });
    this.wish = make("input", { type: "search", id: "search-all", placeholder: "Search all files", "aria-label": "Search all files", oninput: () => this.show() });
    this.list = make("div", { id: "tree-list" });
    $("#tree").replaceChildren(this.wish, this.list);
  }

  /** Show the files in groups, or what the search has found. @param groups [label, names] each */
  show(groups = this.groups ?? []) {
    this.groups = groups;
    const count = groups.reduce((sum, [, names]) => sum + names.length, 0);
    $("#tree").hidden = count < 2;
    const wish = this.wish.value.trim();
    this.list.replaceChildren(...(wish ? this.places(wish) : groups.filter(([, names]) => names.length).flatMap((group) => this.group(...group))));
  }

  /** Let the user type what to search for: in all files or, where they are not listed, in the one shown. */
  search() {
    if (this.wish.offsetParent) this.wish.select();
    else this.on.alone();
  }

  group(label, names) {
    const item = (name) => make("li", {}, make("button", {
      type: "button", class: "link", "aria-current": name === this.programs.file ? "true" : null, title: name, onclick: () => this.on.show(name),
    }, name));
    return [make("div", { class: "group", "aria-hidden": "true" }, label), make("ul", { "aria-label": label }, ...names.map(item))];
  }

  places(wish) {
    const all = found(this.programs.files, wish);
    const item = ({ file, row, text }) => make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.on.go(file, row) },
      make("b", {}, `${file}:${row}`), ` ${text}`));
    const more = all.length > MOST ? [make("p", { class: "quiet" }, `and ${all.length - MOST} more`)] : [];
    return [make("p", { class: "quiet", role: "status" }, `${all.length} found`), make("ul", { class: "places" }, ...all.slice(0, MOST).map(item)), ...more];
  }
}
