// The keys of the whole page: run, stop, step, and search all files.

import { $ } from "./dom.js";

/** Listen for the keys before the part that has the focus does. */
export function shortcuts({ machine, runs, tree }) {
  document.addEventListener("keydown", (event) => {
    const work = meant(event, machine, runs, tree);
    if (!work) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  }, true);
}

/** What a key stands for; null if it is not for the page. */
function meant({ key, shiftKey, ctrlKey, metaKey }, machine, runs, tree) {
  const isCommand = ctrlKey || metaKey;
  if (key.toLowerCase() === "f" && shiftKey && isCommand) return () => tree.search();
  if (key === "Enter" && isCommand) return () => runs.run(shiftKey);
  if (key === "F5" && shiftKey) return () => machine.stop();
  const back = { F7: shiftKey ? "over" : "step", F8: shiftKey ? "run" : null }[key];
  if (back && machine.canGoBack) return () => machine.back(back);
  if (machine.state?.stop) {
    const pace = { F8: "run", F10: "over", F11: shiftKey ? "out" : "step" }[key];
    return pace ? () => machine.go(pace) : null;
  }
  return key === "F10" && document.activeElement === $("#screen") ? () => machine.pause() : null;
}
