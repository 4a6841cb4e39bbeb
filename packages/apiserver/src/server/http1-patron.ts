import type { Socket } from "node:net";
import type { Patron, Turns } from "@coxswain/wire/turns";

/** A connection of HTTP/1.1, which takes its turns beside those of HTTP/2. */
class Http1Patron implements Patron {
  user: string | undefined;
  readonly #waiting: (() => void)[] = [];

  wait(turns: Turns, begin: () => void): void {
    this.#waiting.push(begin);
    if (this.#waiting.length === 1) turns.enlist(this);
  }

  serve(): boolean {
    const begin = this.#waiting[0]!;
    try {
      begin();
    } finally {
      this.#waiting.shift();
    }
    return this.#waiting.length > 0;
  }
}

const patrons = new WeakMap<Socket, Http1Patron>();

export function patronOf(socket: Socket): Http1Patron {
  let patron = patrons.get(socket);
  if (!patron) patrons.set(socket, (patron = new Http1Patron()));
  return patron;
}
