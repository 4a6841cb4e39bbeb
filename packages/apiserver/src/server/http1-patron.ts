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
  readonly #socket: Socket;
  #user: string | undefined;
  #crowd: Http1Crowd | undefined;
  #next: Waiting | undefined;
  /** Of a client that does not wait for its answers. */
  readonly #later: Waiting[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once("close", () => (this.user = undefined));
  }

  get user(): string | undefined {
    return this.#user;
  }

  set user(user: string | undefined) {
    if (user === this.#user) return;
    if (this.#user !== undefined) leaveCrowd(this.#user);
    this.#crowd = user === undefined ? undefined : joinCrowd(user);
    this.#user = user;
  }

  wait(turns: Turns, begin: () => void): void {
    const waiting = { begin, crowd: this.#crowd };
    waiting.crowd?.add();
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
    const crowd = this.#crowd;
    if (!crowd?.isLarge) return;
    response.once("finish", () => {
      if (message.complete) crowd.pause(this.#socket);
    });
  }
}

/** Of each user, and how many connections are in it. */
const crowds = new Map<string, { readonly crowd: Http1Crowd; members: number }>();

function joinCrowd(user: string): Http1Crowd {
  let entry = crowds.get(user);
  if (!entry) crowds.set(user, (entry = { crowd: new Http1Crowd(), members: 0 }));
  entry.members += 1;
  return entry.crowd;
}

function leaveCrowd(user: string): void {
  const entry = crowds.get(user)!;
  entry.members -= 1;
  if (entry.members === 0) crowds.delete(user);
}

const patrons = new WeakMap<Socket, Http1Patron>();

export function patronOf(socket: Socket): Http1Patron {
  let patron = patrons.get(socket);
  if (!patron) patrons.set(socket, (patron = new Http1Patron(socket)));
  return patron;
}
