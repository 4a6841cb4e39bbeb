import type { ServerStream } from "./server-stream.js";

/**
 * The requests of a connection that have come and are not begun. One that is complete is begun when another frame than its own is
 * next, for its client may have given up meanwhile. One with a body waits for it until there is nothing more to read: a
 * request that was begun holds far more memory than its bytes do.
 */
export class UnbegunRequests {
  #complete: ServerStream | undefined;
  /** Not a set: one that is empty again and again makes garbage. */
  readonly #incomplete: ServerStream[] = [];

  get size(): number {
    return this.#incomplete.length + (this.#complete === undefined ? 0 : 1);
  }

  add(stream: ServerStream): void {
    if (stream.hasEnded) this.#complete = stream;
    else this.#incomplete.push(stream);
  }

  /** All of its body has come. @returns false if it was begun before */
  hasEnded(stream: ServerStream): boolean {
    const wasIncomplete = this.#remove(stream);
    if (wasIncomplete) this.#complete = stream;
    return wasIncomplete;
  }

  /** Its client has given up. */
  forget(stream: ServerStream): void {
    this.#remove(stream);
    if (this.#complete === stream) this.#complete = undefined;
  }

  /** The one to begin before anything else of a stream is read; `next` is whose turn it is then, undefined if nothing more has come. */
  take(next: number | undefined): ServerStream | undefined {
    const stream = this.#complete ?? (next === undefined ? this.#incomplete[0] : undefined);
    if (stream === undefined || stream.id === next) return undefined;
    this.forget(stream);
    return stream;
  }

  /** All of them; none is left. */
  drain(): ServerStream[] {
    const all = [...(this.#complete ? [this.#complete] : []), ...this.#incomplete];
    for (const stream of all) this.forget(stream);
    return all;
  }

  #remove(stream: ServerStream): boolean {
    const at = this.#incomplete.indexOf(stream);
    if (at >= 0) this.#incomplete.splice(at, 1);
    return at >= 0;
  }
}
