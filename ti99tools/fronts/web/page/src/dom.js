// Small helpers for the page's elements.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Whether the window has room for only one part at a time. */
export const narrow = () => matchMedia("(max-width: 800px), (max-height: 500px)").matches;

/** An element with attributes and children; `on…` are listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Download bytes or a text as a file. */
export function download(name, data, type = "application/octet-stream") {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

const LARGEST = 4e6; // most bytes of a file that is read
const MOST = 500; // most files of a folder that is read

/** The bytes of a file of this computer; rejects for one that is larger than any disk. */
export async function bytes(file) {
  if (file.size > LARGEST) {
    throw new Error(`${file.name} is too large: ${Math.ceil(file.size / 1e6)} MB, the limit is ${LARGEST / 1e6} MB`);
  }
  return file.arrayBuffer();
}

/** Ask for files; resolves with them. */
export function choose(accept) {
  return new Promise((resolve) => {
    const input = make("input", { type: "file", accept, multiple: true });
    input.onchange = () => resolve([...input.files]);
    input.click();
  });
}

/** Ask for a folder; resolves with its name and its files: {name, files: [{path, data}]}. */
export function chooseFolder() {
  return new Promise((resolve, reject) => {
    const input = make("input", { type: "file", webkitdirectory: true, multiple: true });
    input.onchange = async () => {
      try {
        if (input.files.length > MOST) throw tooMany();
        const files = [...input.files].map(async (file) => ({ path: file.webkitRelativePath, data: await bytes(file) }));
        resolve({ name: input.files[0]?.webkitRelativePath.split("/")[0] ?? "", files: await Promise.all(files) });
      } catch (error) {
        reject(error);
      }
    };
    input.click();
  });
}

const tooMany = () => new Error(`The folder has more than ${MOST} files.`);

/** All files of a dropped file or folder, subfolders included: [{path, data}]. */
export async function walked(entry, before = "") {
  const path = `${before}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ path, data: await bytes(file) }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const each of some) found.push(...(await walked(each, `${path}/`)));
    if (found.length > MOST) throw tooMany();
  }
}

/** Ask for a text in the dialog; null if cancelled. The rule says what the pattern takes. */
export function ask(title, label, value, { pattern, rule }) {
  const dialog = $("#dialog");
  const judge = () => input.setCustomValidity(pattern.test(input.value) ? "" : rule);
  const input = make("input", { value, required: true, maxlength: 60, oninput: judge });
  judge();
  const form = make("form", { method: "dialog" },
    make("h2", {}, title), make("label", {}, label, input),
    make("div", { class: "bar" },
      make("button", { class: "primary", value: "ok" }, "OK"),
      make("button", { value: "", formnovalidate: true }, "Cancel")));
  dialog.replaceChildren(form);
  dialog.returnValue = "";
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "ok" && pattern.test(input.value) ? input.value : null);
    dialog.showModal();
    input.select();
  });
}

/** Ask before something is replaced or deleted, or lost; resolves with whether to do it. */
export function sure(question, action, more = "You can fetch it back later: More, Fetch back.") {
  const dialog = $("#dialog");
  const cancel = make("button", { value: "", autofocus: true }, "Cancel");
  dialog.replaceChildren(make("form", { method: "dialog" },
    make("h2", {}, question), make("p", { class: "quiet", hidden: !more }, more),
    make("div", { class: "bar" }, make("button", { class: "primary", value: "ok" }, action), cancel)));
  dialog.returnValue = "";
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "ok");
    dialog.showModal();
  });
}

/** A tab list with arrow keys; returns a function that opens a tab. @param chosen takes the name of a tab */
export function tabs(list, chosen) {
  const buttons = $$("[role=tab]", list);
  const pick = (button, focus) => {
    for (const each of buttons) {
      const on = each === button;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
    }
    if (focus) button.focus();
    chosen(button.dataset.tab);
  };
  for (const [at, button] of buttons.entries()) {
    button.onclick = () => pick(button, false);
    button.onkeydown = ({ key }) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (way) pick(buttons[(at + way + buttons.length) % buttons.length], true);
    };
  }
  return (name) => pick(buttons.find((button) => button.dataset.tab === name), false);
}
