import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import type { BackendCall, BackendEvents, SentRequest } from "../calls/backend-call.js";
import { type Dial, openEndpoint } from "./endpoint-socket.js";
import { Http1Backend } from "./http1-backend.js";
import { Http2Backend } from "./http2-backend.js";
import { backendLimits as limits } from "./limits.js";
import { Outlier } from "./outlier.js";

/** Connections to one endpoint, and how it fares. */
export class EndpointPool {
  readonly outlier: Outlier;
  readonly #runtime: Runtime;
  readonly #dial: Dial;
  readonly #connections = new Set<Http1Backend>();
  /** The latest is taken first, so that others may close. */
  readonly #idle: Http1Backend[] = [];
  readonly #sessions = new Set<Http2Backend>();

  constructor(runtime: Runtime, dial: Dial) {
    this.#runtime = runtime;
    this.#dial = dial;
    this.outlier = new Outlier(runtime.clock);
  }

  /** Requests under way. */
  get open(): number {
    let open = this.#connections.size - this.#idle.length;
    for (const session of this.#sessions) open += session.open;
    return open;
  }

  get connections(): number {
    return this.#connections.size + this.#sessions.size;
  }

  get heldBytes(): number {
    let bytes = 0;
    for (const one of this.#connections) bytes += one.heldBytes;
    for (const one of this.#sessions) bytes += one.heldBytes;
    return bytes;
  }

  /** Undefined: it has as many requests as it may. */
  start(request: SentRequest, events: BackendEvents): BackendCall | undefined {
    if (this.open >= limits.requests) return undefined;
    if (this.#dial.protocol === "h2") return this.#session().start(request, events);
    const connection = this.#takeIdle() ?? this.#connect();
    connection.start(request, events);
    return connection;
  }

  #takeIdle(): Http1Backend | undefined {
    for (;;) {
      const one = this.#idle.pop();
      if (!one || one.isUsable) return one;
      one.destroy();
    }
  }

  #connect(): Http1Backend {
    const socket = openEndpoint(this.#dial);
    const connection = new Http1Backend(socket, {
      idle: (one) => this.#keep(one),
      closed: (one) => this.#forget(one),
    });
    this.#connections.add(connection);
    this.#limitConnect(socket, () => connection.connected());
    return connection;
  }

  #keep(one: Http1Backend): void {
    if (this.#idle.length >= limits.idleConnections) return one.destroy();
    one.idleSince = this.#runtime.ioClock.monotonic();
    this.#idle.push(one);
  }

  #forget(one: Http1Backend): void {
    this.#connections.delete(one);
    const at = this.#idle.indexOf(one);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #session(): Http2Backend {
    for (const one of this.#sessions) if (one.isUsable) return one;
    const socket = openEndpoint(this.#dial);
    const session = new Http2Backend(socket, {
      idle: (one) => (one.idleSince = this.#runtime.ioClock.monotonic()),
      closed: (one) => this.#sessions.delete(one),
    });
    session.idleSince = this.#runtime.ioClock.monotonic();
    this.#sessions.add(session);
    this.#limitConnect(socket, () => {
      const { alpnProtocol } = socket as { alpnProtocol?: string | false };
      if (this.#dial.tls && alpnProtocol !== "h2") socket.destroy(new Error("the backend does not speak HTTP/2"));
    });
    return session;
  }

  /** A connection inside the process is there at once. */
  #limitConnect(socket: Duplex, onConnected: () => void): void {
    const isConnecting = this.#dial.tls !== undefined || (socket as { connecting?: boolean }).connecting === true;
    if (!isConnecting) return onConnected();
    const timer = this.#runtime.ioClock.setTimer(limits.connectMs, () =>
      socket.destroy(new Error("the backend cannot be reached in time")),
    );
    socket.once(this.#dial.tls ? "secureConnect" : "connect", () => {
      timer.cancel();
      onConnected();
    });
    socket.once("close", () => timer.cancel());
  }

  /** @returns whether there is nothing left of it */
  sweep(now: number): boolean {
    for (const one of this.#idle.filter(({ idleSince }) => now - idleSince > limits.idleMs)) one.destroy();
    for (const one of this.#sessions) if (one.open === 0 && now - one.idleSince > limits.idleMs) one.destroy();
    return this.connections === 0 && this.outlier.isForgotten;
  }

  destroy(): void {
    for (const one of this.#connections) one.destroy();
    for (const one of this.#sessions) one.destroy();
  }
}
