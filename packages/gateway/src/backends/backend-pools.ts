import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { BackendService, BackendTls } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import { EndpointPool } from "./endpoint-pool.js";
import { compileTls, type EndpointTls } from "./endpoint-socket.js";

const sweepMs = 5000;

/** Connections to all endpoints. */
export class BackendPools {
  readonly #runtime: Runtime;
  readonly #network: BackendNetwork;
  readonly #pools = new Map<string, EndpointPool>();
  readonly #tls = new WeakMap<BackendTls, { readonly id: number; readonly compiled: EndpointTls }>();
  /** Of each Service's port: which endpoint is next. */
  readonly #turns = new WeakMap<BackendService, number>();
  #lastTls = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(runtime: Runtime, network: BackendNetwork) {
    this.#runtime = runtime;
    this.#network = network;
  }

  get connections(): number {
    return this.#sum(({ connections }) => connections);
  }

  get heldBytes(): number {
    return this.#sum(({ heldBytes }) => heldBytes);
  }

  get open(): number {
    return this.#sum(({ open }) => open);
  }

  #sum(of: (pool: EndpointPool) => number): number {
    let sum = 0;
    for (const pool of this.#pools.values()) sum += of(pool);
    return sum;
  }

  /** One after the other. Those that fail are left out, unless more than half of them do: then the failing is not theirs. */
  choose(service: BackendService, endpoints: readonly Endpoint[], avoid: Endpoint | undefined): Endpoint | undefined {
    if (endpoints.length < 2) return endpoints[0];
    const turn = this.#turns.get(service) ?? Math.floor(this.#runtime.random.next() * endpoints.length);
    this.#turns.set(service, turn + 1);
    for (let at = 0; at < endpoints.length; at++) {
      const one = endpoints[(turn + at) % endpoints.length]!;
      if (!isSame(one, avoid) && !this.#isEjected(service, one)) {
        if (at > 0 && this.#mostAreEjected(service, endpoints)) break;
        return one;
      }
    }
    return endpoints[turn % endpoints.length];
  }

  #mostAreEjected(service: BackendService, endpoints: readonly Endpoint[]): boolean {
    return endpoints.filter((one) => this.#isEjected(service, one)).length * 2 > endpoints.length;
  }

  #isEjected(service: BackendService, endpoint: Endpoint): boolean {
    return this.#pools.get(this.#keyOf(service, endpoint))?.outlier.isEjected === true;
  }

  /** @throws Error where TLS to the backend cannot be set up */
  poolOf(service: BackendService, endpoint: Endpoint): EndpointPool {
    const key = this.#keyOf(service, endpoint);
    const there = this.#pools.get(key);
    if (there) return there;
    const pool = new EndpointPool(this.#runtime, {
      network: this.#network,
      endpoint,
      tls: service.tls && this.#tlsOf(service.tls).compiled,
      protocol: service.protocol === "h2" ? "h2" : "http/1.1",
    });
    this.#pools.set(key, pool);
    if (!this.#timer && !this.#isClosed) this.#startSweeping();
    return pool;
  }

  #keyOf({ protocol, tls }: BackendService, { address, port }: Endpoint): string {
    return `${protocol} ${address} ${port} ${tls ? this.#tlsOf(tls).id : ""}`;
  }

  #tlsOf(tls: BackendTls): { readonly id: number; readonly compiled: EndpointTls } {
    const there = this.#tls.get(tls);
    if (there) return there;
    this.#lastTls += 1;
    const made = { id: this.#lastTls, compiled: compileTls(tls) };
    this.#tls.set(tls, made);
    return made;
  }

  #startSweeping(): void {
    this.#timer = this.#runtime.ioClock.setTimer(sweepMs, () => {
      this.#timer = undefined;
      const now = this.#runtime.ioClock.monotonic();
      for (const [key, pool] of this.#pools) if (pool.sweep(now)) this.#pools.delete(key);
      if (this.#pools.size > 0) this.#startSweeping();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const pool of this.#pools.values()) pool.destroy();
    this.#pools.clear();
  }
}

const isSame = (one: Endpoint, other: Endpoint | undefined): boolean =>
  other !== undefined && one.address === other.address && one.port === other.port;
