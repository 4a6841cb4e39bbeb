import type { Socket } from "node:net";
import type { Patron, Turns } from "@coxswain/wire/turns";

/** A connection of HTTP/1.1, which takes its turns beside those of HTTP/2. */
class Http1Patron implements Patron {
  user: string | undefined;
  #next: (() => void) | undefined;
  /** Of a client that does not wait for its answers. */
  readonly #later: (() => void)[] = [];

  wait(turns: Turns, begin: () => void): void {
    if (this.#next) return void this.#later.push(begin);
    this.#next = begin;
    turns.enlist(this);
  }

  serve(): boolean {
    try {
      this.#next?.();
    } finally {
      this.#next = this.#later.shift();
    }
    return this.#next !== undefined;
  }
}

const patrons = new WeakMap<Socket, Http1Patron>();

export function patronOf(socket: Socket): Http1Patron {
  let patron = patrons.get(socket);
  if (!patron) patrons.set(socket, (patron = new Http1Patron()));
  return patron;
}
