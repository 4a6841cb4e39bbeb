import type { ServerStream } from "./server-stream.js";

/**
 * The requests of a connection that have come and are not begun. One that is complete is begun when another frame than its own is
 * next, for its client may have given up meanwhile. One with a body waits for it until there is nothing more to read: a
 * request that was begun holds far more memory than its bytes do.
 */
export class UnbegunRequests {
  #complete: ServerStream | undefined;
  readonly #incomplete = new Set<ServerStream>();

  get any(): boolean {
    return this.#complete !== undefined || this.#incomplete.size > 0;
  }

  add(stream: ServerStream): void {
    if (stream.hasEnded) this.#complete = stream;
    else this.#incomplete.add(stream);
  }

  /** All of its body has come. @returns false if it was begun before */
  hasEnded(stream: ServerStream): boolean {
    if (!this.#incomplete.delete(stream)) return false;
    this.#complete = stream;
    return true;
  }

  /** Its client has given up. */
  forget(stream: ServerStream): void {
    this.#incomplete.delete(stream);
    if (this.#complete === stream) this.#complete = undefined;
  }

  /** The one to begin before anything else of a stream is read; `next` is whose turn it is then, undefined if nothing more has come. */
  take(next: number | undefined): ServerStream | undefined {
    const stream = this.#complete ?? (next === undefined ? first(this.#incomplete) : undefined);
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
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const one of set) return one;
  return undefined;
}
