// Small helpers for the page's elements.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

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

/** Hand bytes or a text to the user as a file. */
export function download(name, data, type = "application/octet-stream") {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Ask for a file; resolves with its name and bytes. */
export function choose(accept) {
  return new Promise((resolve) => {
    const input = make("input", { type: "file", accept, multiple: true });
    input.onchange = async () => {
      const files = [...input.files];
      resolve(await Promise.all(files.map(async (file) => ({ name: file.name, data: await file.arrayBuffer() }))));
    };
    input.click();
  });
}

/** A tab list that arrow keys move in. @param chosen takes the name of the tab */
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
