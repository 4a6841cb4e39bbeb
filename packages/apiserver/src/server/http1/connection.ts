import type { Socket } from "node:net";
import type { Scheduler, Task } from "@coxswain/runtime/scheduler";

interface Waiting {
  readonly begin: () => void;
  /** The connection is its own from then on. */
  readonly takesSocket: boolean;
}

/**
 * The requests of an HTTP/1.1 connection that have arrived and are not begun: a task beside the connections of HTTP/2. They are served
 * one at a time, as Go's server does it: a client that sends many without waiting for their answers (RFC 9112, section 9.3.2) occupies
 * one request's worth of the server. Node would start them all, and forgets the answers behind the first when the connection closes:
 * they would never end, nor give their seats back.
 */
export class Http1Connection implements Task {
  /** The user, once authenticated. */
  flow: string | undefined;
  readonly #scheduler: Scheduler;
  readonly #socket: Pick<Socket, "destroyed" | "pause" | "resume">;
  readonly #waiting: Waiting[] = [];
  /** A request is scheduled or under way. */
  #isBusy = false;
  /** The last request whose head has been read. */
  arriving: { readonly complete: boolean } | undefined;

  constructor(scheduler: Scheduler, socket: Pick<Socket, "destroyed" | "pause" | "resume">) {
    this.#scheduler = scheduler;
    this.#socket = socket;
  }

  /** A request is scheduled or under way, and none waits for the rest of its body. */
  get hasWholeRequest(): boolean {
    return this.#isBusy && this.arriving?.complete !== false;
  }

  /**
   * Begins when what was begun before is over; never, if the connection closes before that. The one that begins calls
   * `over`, unless it takes the socket for good.
   */
  enqueue(begin: () => void, { takesSocket = false } = {}): void {
    if (this.#socket.destroyed) return;
    this.#waiting.push({ begin, takesSocket });
    if (!this.#isBusy) return this.#scheduleNext();
    this.#socket.pause(); // what the client sends beyond stays in its own buffers
  }

  /** The answer is with the operating system, or will never be. */
  over(): void {
    this.#isBusy = false;
    if (this.#socket.destroyed) this.#waiting.length = 0;
    const [next] = this.#waiting;
    if (!next) return;
    if (this.#waiting.length === 1 && !next.takesSocket) this.#socket.resume();
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    this.#isBusy = true;
    this.#scheduler.schedule(this);
  }

  run(): boolean {
    const next = this.#waiting.shift();
    try {
      next?.begin();
    } catch (err) {
      this.over();
      throw err;
    }
    return false;
  }
}

/** The connections of one server. */
export class Http1Connections {
  readonly #scheduler: Scheduler;
  readonly #known = new WeakMap<Socket, Http1Connection>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  of(socket: Socket): Http1Connection {
    let connection = this.#known.get(socket);
    if (!connection) this.#known.set(socket, (connection = new Http1Connection(this.#scheduler, socket)));
    return connection;
  }
}
