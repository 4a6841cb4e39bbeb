import type { Socket } from "node:net";
import type { Turns } from "../turns/index.js";

/** In company: reading holds others up like any other work, and what is ahead of its turn gains nothing. */
const bytesInCompany = 8 * 1024;

/** How far a connection is read ahead of what is served. Who sends faster, or does not read answers, is not read for a while. */
export class ReadingAhead {
  readonly #socket: Socket;
  readonly #turns: Pick<Turns, "isShared">;
  readonly #mostBytes: number;

  /** @param mostBytes read and not yet looked at; a whole frame must find room */
  constructor(socket: Socket, turns: Pick<Turns, "isShared">, mostBytes: number) {
    this.#socket = socket;
    this.#turns = turns;
    this.#mostBytes = mostBytes;
  }

  /** @param isEnlisted it will be looked at, and this be asked again: only then may the rest of a frame be left unread */
  regulate(backlog: number, isEnlisted: boolean, isStuffed: boolean): void {
    const most = isEnlisted && this.#turns.isShared ? bytesInCompany : this.#mostBytes;
    const isTooMuch = isStuffed || backlog > most;
    if (isTooMuch === this.#socket.isPaused()) return;
    if (isTooMuch) this.#socket.pause();
    else this.#socket.resume();
  }
}
