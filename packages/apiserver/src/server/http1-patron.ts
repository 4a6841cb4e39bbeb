import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Patron, Turns } from "@coxswain/wire/turns";
import { Http1Crowd } from "./http1-crowd.js";

/** A request that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly crowd: Http1Crowd | undefined;
}

/** A connection of HTTP/1.1, which takes its turns beside those of HTTP/2. */
class Http1Patron implements Patron {
  user: string | undefined;
  readonly #socket: Socket;
  #next: Waiting | undefined;
  /** Of a client that does not wait for its answers. */
  readonly #later: Waiting[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  wait(turns: Turns, begin: () => void): void {
    const crowd = this.user === undefined ? undefined : Http1Crowd.of(this.user);
    crowd?.add();
    const waiting = { begin, crowd };
    if (this.#next) return void this.#later.push(waiting);
    this.#next = waiting;
    turns.enlist(this);
  }

  serve(): boolean {
    const next = this.#next!;
    next.crowd?.remove();
    try {
      next.begin();
    } finally {
      this.#next = this.#later.shift();
    }
    return this.#next !== undefined;
  }

  /** When the request is answered, the connection may have to wait before it is read again. */
  answering(message: Pick<IncomingMessage, "complete">, response: Pick<ServerResponse, "once">): void {
    const crowd = this.user === undefined ? undefined : Http1Crowd.find(this.user);
    if (!crowd?.isLarge) return;
    response.once("finish", () => {
      if (message.complete) crowd.pause(this.#socket);
    });
  }
}

const patrons = new WeakMap<Socket, Http1Patron>();

export function patronOf(socket: Socket): Http1Patron {
  let patron = patrons.get(socket);
  if (!patron) patrons.set(socket, (patron = new Http1Patron(socket)));
  return patron;
}
