import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { BackendPools } from "../backends/backend-pools.js";
import type { BackendTarget, WeightedBackend } from "../engine/backend.js";
import { chooseByWeight } from "../exchange/choose-by-weight.js";

/** Each flow is a socket: clients that send from ever new ports get no more of them. */
export const maxFlows = 4096;
/** Milliseconds without a datagram in either direction. */
const idleMs = 60_000;
const sweepMs = 5000;
/** Bytes that a socket has not sent yet: what comes on top is dropped, as networks do. */
const maxQueuedBytes = 256 * 1024;
const maxWaiting = 16;

export interface UdpContext {
  readonly runtime: Runtime;
  readonly pools: BackendPools;
  endpointsOf(target: BackendTarget, transport: "UDP"): readonly Endpoint[];
}

interface Flow {
  readonly socket: Socket;
  /** Datagrams until its socket is connected; undefined: it is. */
  waiting: Buffer[] | undefined;
  lastAt: number;
}

/** Datagrams of one client address and port go to one backend, and its answers back, until nothing has come for a minute. */
export class UdpFlows {
  backends: readonly WeightedBackend[] = [];
  readonly #server: Socket;
  readonly #context: UdpContext;
  readonly #flows = new Map<string, Flow>();
  #timer: Timer | undefined;

  constructor(server: Socket, context: UdpContext) {
    this.#server = server;
    this.#context = context;
    server.on("message", (data, { address, port }) => this.#receive(data, address, port));
  }

  get size(): number {
    return this.#flows.size;
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const { socket } of this.#flows.values()) socket.close();
    this.#flows.clear();
  }

  #receive(data: Buffer, address: string, port: number): void {
    const key = `${address} ${port}`;
    const flow = this.#flows.get(key) ?? this.#open(key, address, port);
    if (!flow) return;
    flow.lastAt = this.#context.runtime.clock.now();
    if (!flow.waiting) send(flow.socket, data);
    else if (flow.waiting.length < maxWaiting) flow.waiting.push(data);
  }

  /** Undefined: it leads nowhere, or there are too many. */
  #open(key: string, address: string, port: number): Flow | undefined {
    const { runtime, pools, endpointsOf } = this.#context;
    if (this.#flows.size >= maxFlows) return undefined;
    const chosen = chooseByWeight(this.backends, runtime.random)?.destination;
    const endpoint =
      chosen?.kind === "service" ? pools.choose(chosen, endpointsOf(chosen.target, "UDP"), undefined) : undefined;
    if (!endpoint) return undefined;
    const socket = createSocket(isIPv6(endpoint.address) ? "udp6" : "udp4");
    const flow: Flow = { socket, waiting: [], lastAt: runtime.clock.now() };
    this.#flows.set(key, flow);
    socket.on("message", (answer) => {
      flow.lastAt = runtime.clock.now();
      send(this.#server, answer, port, address);
    });
    // A port where nobody listens: the next datagram may find somebody elsewhere.
    socket.on("error", () => this.#remove(key));
    socket.connect(endpoint.port, endpoint.address, () => {
      for (const data of flow.waiting ?? []) send(socket, data);
      flow.waiting = undefined;
    });
    this.#timer ??= this.#sweepLater();
    return flow;
  }

  #remove(key: string): void {
    const flow = this.#flows.get(key);
    this.#flows.delete(key);
    flow?.socket.close();
  }

  #sweepLater(): Timer {
    const { clock } = this.#context.runtime;
    return clock.setTimer(sweepMs, () => {
      this.#timer = undefined;
      for (const [key, { lastAt }] of this.#flows) if (clock.now() - lastAt >= idleMs) this.#remove(key);
      if (this.#flows.size > 0) this.#timer = this.#sweepLater();
    });
  }
}

function send(socket: Socket, data: Buffer, ...to: [] | [port: number, address: string]): void {
  if (socket.getSendQueueSize() + data.length > maxQueuedBytes) return;
  const [port, address] = to;
  const done = (): void => {}; // a datagram that cannot be sent is lost
  if (port === undefined) socket.send(data, done);
  else socket.send(data, port, address, done);
}
