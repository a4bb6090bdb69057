// The page without a network after the first visit: the browser keeps its files.

import { isPacked } from "./packed.js";

const PATIENCE = 1500; // milliseconds that the page waits for what keeps them

/** The service worker first: then what is loaded is kept at once, and fetched only once. */
export async function keep() {
  if (isPacked() || !("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    const registered = navigator.serviceWorker.register("sw.js");
    if (navigator.serviceWorker.controller) return void registered.catch(() => {});
    await registered;
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  } catch {
    // Without it the studio works all the same, online.
  }
}
