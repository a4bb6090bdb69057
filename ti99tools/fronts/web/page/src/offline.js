// Use of the page without a network after the first visit: a service worker keeps its files.

import { isPacked } from "./packed.js";

const PATIENCE = 1500; // milliseconds that the page waits for the service worker

/** Start the service worker first, so that files are cached as they load and are fetched only once. */
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
    // Without a service worker the studio still works online.
  }
}
