/** An AbortSignal that is only made when somebody looks at it: most requests are answered before anyone does. */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #listeners: (() => void)[] | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** The reason is shared: making an error per request would cost more than answering it. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners) for (const listener of listeners) listener();
  }

  /** Calls back when it is aborted, at once if it is. @returns how not to be called */
  whenAborted(then: () => void): () => void {
    if (this.#reason) {
      then();
      return () => {};
    }
    this.#listeners = [...(this.#listeners ?? []), then];
    return () => (this.#listeners = this.#listeners?.filter((listener) => listener !== then));
  }
}

/** The same of a signal that is there already. */
export function whenAborted(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
  return () => signal.removeEventListener("abort", then);
}

export const clientGone = new Error("the client is gone");
