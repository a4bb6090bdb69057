// The page's end of a worker: calls that return promises, and events.

import { addressOf, partsForWorker } from "./packed.js";

const PATIENCE = 8000; // milliseconds that a worker may be silent before it is replaced

export class Client {
  /** @param on handlers by event: frame, progress, broken, restarted */
  constructor(on) {
    this.on = on;
    this.waiting = new Map();
    this.serial = 0;
    this.worker = null;
    this.woken = false; // whether Python was woken from an image of its memory
  }

  /** Start the worker; resolves when it answers. */
  start() {
    this.woken = false;
    const parts = partsForWorker();
    // The name tells the worker where its files are: in the page, or in this version's cache.
    const name = parts ? "packed" : `ti99tools-${document.body.dataset.version}`;
    this.worker = new Worker(addressOf("worker.js"), { type: "module", name });
    if (parts) this.worker.postMessage({ parts });
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => this.on.broken?.({ text: event.message || "worker failed" });
    this.hello = this.call("hello");
    return this.hello;
  }

  /** Whether the worker was started. */
  get running() {
    return this.worker !== null;
  }

  take(data) {
    if (data.event) {
      this.woken ||= data.event === "woken";
      this.on[data.event]?.(data);
      return;
    }
    const waiting = this.waiting.get(data.id);
    if (!waiting) return;
    this.waiting.delete(data.id);
    if (data.error) waiting.reject(new Told(data.error));
    else waiting.resolve(data.blob === undefined || data.blob === null ? data.result : data);
  }

  /** Call the bridge; resolves with the result, or {result, blob} if it has bytes. Rejects with Told. */
  call(name, args, blob) {
    const id = ++this.serial;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, args, blob });
    });
  }

  /** End the worker at once; all pending calls fail. */
  end() {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Told({ text: "stopped" }));
    this.waiting.clear();
  }

  /** Replace the worker if a call does not end in time. */
  async insist(promise) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve(true), PATIENCE);
    });
    const isLate = await Promise.race([promise.then(() => false, () => false), late]);
    clearTimeout(timer);
    if (isLate) {
      this.end();
      await this.start();
      this.on.restarted?.();
    }
  }
}

/** An error that the user can correct: one line, and the places of all mistakes. */
export class Told extends Error {
  constructor({ text, mistakes, broken }) {
    super(text);
    this.mistakes = mistakes ?? [];
    this.broken = Boolean(broken);
  }
}
