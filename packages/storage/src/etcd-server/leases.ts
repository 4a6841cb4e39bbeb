import type { Clock } from "@coxswain/runtime/clock";
import { GrpcError } from "@coxswain/wire/grpc";
import type { LeaseId, LeaseStore } from "../contract/key-value-store.js";

/**
 * Leases under the ids that clients know. The store numbers its leases itself; a client may choose an id of 63 bits.
 *
 * Caveats: an id that a client chose is known as long as this server runs; the keys of such a lease end with it all the same.
 */
export class EtcdLeases {
  readonly #leases: LeaseStore;
  readonly #clock: Clock;
  readonly #chosen = new Map<bigint, LeaseId>();
  readonly #names = new Map<LeaseId, bigint>();
  /** Of leases that were granted here, in seconds. */
  readonly #ttls = new Map<LeaseId, { readonly seconds: number; until: number }>();

  constructor(leases: LeaseStore, clock: Clock) {
    this.#leases = leases;
    this.#clock = clock;
  }

  readonly nameOf = (lease: LeaseId): bigint => this.#names.get(lease) ?? BigInt(lease);

  /** @throws GrpcError where no lease can have that id */
  readonly leaseOf = (name: bigint): LeaseId => {
    const chosen = this.#chosen.get(name);
    if (chosen !== undefined) return chosen;
    if (name <= 0n || name > BigInt(Number.MAX_SAFE_INTEGER)) throw notFound();
    return Number(name);
  };

  async grant(seconds: number, name: bigint): Promise<{ name: bigint; seconds: number }> {
    if (seconds <= 0 || seconds > 9_000_000_000) throw new GrpcError("OUT_OF_RANGE", "etcdserver: too large lease TTL");
    this.#forgetEnded();
    if (this.#chosen.has(name)) throw new GrpcError("FAILED_PRECONDITION", "etcdserver: lease already exists");
    const lease = await this.#leases.grant(seconds * 1000);
    if (name !== 0n) {
      this.#chosen.set(name, lease);
      this.#names.set(lease, name);
    }
    this.#ttls.set(lease, { seconds, until: this.#clock.monotonic() + seconds * 1000 });
    return { name: this.nameOf(lease), seconds };
  }

  async revoke(name: bigint): Promise<number> {
    const lease = this.leaseOf(name);
    if (!(await this.#leases.keepAlive(lease))) {
      this.#forget(lease);
      throw notFound();
    }
    const revision = await this.#leases.revoke(lease);
    this.#forget(lease);
    return revision;
  }

  /** Of a lease that was granted here; undefined: nobody knows. */
  secondsLeft(lease: LeaseId): number | undefined {
    const until = this.#ttls.get(lease)?.until;
    return until === undefined ? undefined : Math.max(0, Math.ceil((until - this.#clock.monotonic()) / 1000));
  }

  /** Seconds that it lives on; 0 where it is gone. */
  async keepAlive(name: bigint): Promise<number> {
    const lease = this.#chosen.get(name) ?? Number(name);
    if (!Number.isSafeInteger(lease) || lease <= 0 || !(await this.#leases.keepAlive(lease))) {
      this.#forget(lease);
      return 0;
    }
    const known = this.#ttls.get(lease);
    if (known) known.until = this.#clock.monotonic() + known.seconds * 1000;
    return known?.seconds ?? 1;
  }

  #forgetEnded(): void {
    const now = this.#clock.monotonic();
    for (const [lease, { until }] of this.#ttls) if (until + graceMs < now) this.#forget(lease);
  }

  #forget(lease: LeaseId): void {
    const name = this.#names.get(lease);
    if (name !== undefined) this.#chosen.delete(name);
    this.#names.delete(lease);
    this.#ttls.delete(lease);
  }
}

/** The store ends a lease some time after its deadline. */
const graceMs = 60_000;

const notFound = (): GrpcError => new GrpcError("NOT_FOUND", "etcdserver: requested lease not found");
