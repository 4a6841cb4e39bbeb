import type { Socket } from "node:dgram";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { BackendPools } from "../backends/backend-pools.js";
import type { BackendTarget, WeightedBackend } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import { chooseByWeight } from "../exchange/choose-by-weight.js";
import { type DatagramFlow, maxQueuedBytes, openDatagrams } from "./datagram-flow.js";

/** Each flow is a socket: clients that send from ever new ports get no more of them. */
export const maxFlows = 4096;
/** Milliseconds without a datagram in either direction. */
const idleMs = 60_000;
const sweepMs = 5000;

export interface UdpContext {
  readonly runtime: Runtime;
  readonly network: BackendNetwork;
  readonly pools: BackendPools;
  endpointsOf(target: BackendTarget, transport: "UDP"): readonly Endpoint[];
}

interface Flow {
  readonly to: DatagramFlow;
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
    for (const { to } of this.#flows.values()) to.close();
    this.#flows.clear();
  }

  #receive(data: Buffer, address: string, port: number): void {
    const key = `${address} ${port}`;
    const flow = this.#flows.get(key) ?? this.#open(key, address, port);
    if (!flow) return;
    flow.lastAt = this.#context.runtime.clock.now();
    flow.to.send(data);
  }

  /** Undefined: it leads nowhere, or there are too many. */
  #open(key: string, address: string, port: number): Flow | undefined {
    const { runtime, network, pools, endpointsOf } = this.#context;
    if (this.#flows.size >= maxFlows) return undefined;
    const chosen = chooseByWeight(this.backends, runtime.random)?.destination;
    const endpoint =
      chosen?.kind === "service" ? pools.choose(chosen, endpointsOf(chosen.target, "UDP"), undefined) : undefined;
    if (!endpoint) return undefined;
    const to = openDatagrams(network, endpoint, {
      onMessage: (answer) => {
        flow.lastAt = runtime.clock.now();
        this.#answer(answer, port, address);
      },
      // A port where nobody listens: the next datagram may find somebody elsewhere.
      onError: () => this.#remove(key),
    });
    if (!to) return undefined;
    const flow: Flow = { to, lastAt: runtime.clock.now() };
    this.#flows.set(key, flow);
    this.#timer ??= this.#sweepLater();
    return flow;
  }

  #remove(key: string): void {
    const flow = this.#flows.get(key);
    this.#flows.delete(key);
    flow?.to.close();
  }

  #answer(data: Buffer, port: number, address: string): void {
    if (this.#server.getSendQueueSize() + data.length > maxQueuedBytes) return;
    this.#server.send(data, port, address, () => {}); // one that cannot be sent is lost
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
