import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Patron, Turns } from "@coxswain/wire/turns";
import type { Http1Crowd } from "./http1-crowd.js";
import { Http1Crowds } from "./http1-crowds.js";

/** A request that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly crowd: Http1Crowd | undefined;
}

/** A connection of HTTP/1.1, which takes its turns beside those of HTTP/2. */
export class Http1Patron implements Patron {
  readonly #socket: Socket;
  readonly #turns: Turns;
  readonly #crowds: Http1Crowds;
  #user: string | undefined;
  #crowd: Http1Crowd | undefined;
  #next: Waiting | undefined;
  /** Of a client that does not wait for its answers. */
  readonly #later: Waiting[] = [];

  constructor(socket: Socket, { turns, crowds }: { turns: Turns; crowds: Http1Crowds }) {
    this.#socket = socket;
    this.#turns = turns;
    this.#crowds = crowds;
    socket.once("close", () => (this.user = undefined));
  }

  get user(): string | undefined {
    return this.#user;
  }

  set user(user: string | undefined) {
    if (user === this.#user) return;
    if (this.#user !== undefined) this.#crowds.leave(this.#user);
    this.#crowd = user === undefined ? undefined : this.#crowds.join(user);
    this.#user = user;
  }

  wait(begin: () => void): void {
    const waiting = { begin, crowd: this.#crowd };
    waiting.crowd?.add();
    if (this.#next) return void this.#later.push(waiting);
    this.#next = waiting;
    this.#turns.enlist(this);
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
    const crowd = this.#crowd;
    if (!crowd?.isLarge) return;
    response.once("finish", () => {
      if (message.complete) crowd.pause(this.#socket);
    });
  }
}

/** The connections of one server. */
export class Http1Patrons {
  readonly #shared: { readonly turns: Turns; readonly crowds: Http1Crowds };
  readonly #known = new WeakMap<Socket, Http1Patron>();

  constructor(turns: Turns) {
    this.#shared = { turns, crowds: new Http1Crowds() };
  }

  of(socket: Socket): Http1Patron {
    let patron = this.#known.get(socket);
    if (!patron) this.#known.set(socket, (patron = new Http1Patron(socket, this.#shared)));
    return patron;
  }
}
