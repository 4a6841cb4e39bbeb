import type { Socket } from "node:net";
import type { Task, TaskScheduler } from "@coxswain/apimachinery/task-scheduler";

/** The requests of an HTTP/1.1 connection that have arrived and are not begun: a task beside the connections of HTTP/2. */
export class Http1Connection implements Task {
  /** The user, once authenticated. */
  flow: string | undefined;
  readonly #scheduler: TaskScheduler;
  /** More than one of a client that pipelines. */
  readonly #waiting: (() => void)[] = [];

  constructor(scheduler: TaskScheduler) {
    this.#scheduler = scheduler;
  }

  enqueue(begin: () => void): void {
    if (this.#waiting.push(begin) === 1) this.#scheduler.schedule(this);
  }

  run(): boolean {
    try {
      this.#waiting[0]?.();
    } finally {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#scheduler.schedule(this);
    }
    return false;
  }
}

/** The connections of one server. */
export class Http1Connections {
  readonly #scheduler: TaskScheduler;
  readonly #known = new WeakMap<Socket, Http1Connection>();

  constructor(scheduler: TaskScheduler) {
    this.#scheduler = scheduler;
  }

  of(socket: Socket): Http1Connection {
    let connection = this.#known.get(socket);
    if (!connection) this.#known.set(socket, (connection = new Http1Connection(this.#scheduler)));
    return connection;
  }
}
