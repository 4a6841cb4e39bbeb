/** Whether something has ended, for those who ask and for those who wait. What waits is given a controller, which is not kept for long. */
export class EndSignal {
  #isEnded = false;
  #controller: AbortController | undefined;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** For work until the next `release`. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isEnded) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  end(): void {
    this.#isEnded = true;
    this.#controller?.abort();
  }

  /** The work that was given the signal is done. */
  release(): void {
    this.#controller = undefined;
  }
}
