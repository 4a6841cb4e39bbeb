import type { Socket } from "node:net";

/** So many requests of a user are read ahead of their turns. */
const mostAhead = 32;
/** Some that are let go on have nothing to say: then others should not wait for them. */
const letGoAtOnce = 2;

/**
 * The connections of HTTP/1.1 of one user. What Node has read of a request takes some kilobytes, and hundreds that wait for their
 * turn would outlive collection after collection: when many wait already, connections are not read until it is less.
 */
export class Http1Crowd {
  #waiting = 0;
  readonly #paused: Pick<Socket, "resume">[] = [];

  get isLarge(): boolean {
    return this.#waiting >= mostAhead;
  }

  /** A request waits for its turn. */
  add(): void {
    this.#waiting += 1;
  }

  /** It is begun. */
  remove(): void {
    this.#waiting -= 1;
    const letGo = this.#waiting === 0 ? this.#paused.length : this.isLarge ? 0 : letGoAtOnce;
    for (const socket of this.#paused.splice(0, letGo)) socket.resume();
  }

  /** Its next request is read later, if others wait. */
  pause(socket: Pick<Socket, "pause" | "resume">): void {
    if (this.#waiting === 0) return;
    socket.pause();
    this.#paused.push(socket);
  }
}
