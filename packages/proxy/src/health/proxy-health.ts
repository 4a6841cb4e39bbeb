import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { largest } from "@coxswain/apimachinery/append";
import type { Clock } from "@coxswain/runtime/clock";
import type { Family } from "../addresses/family.js";

/** The cluster autoscaler marks a node so before it deletes it: load balancers should leave it while it still forwards. */
const toBeDeletedTaint = "ToBeDeletedByClusterAutoscaler";

/**
 * Whether the rules follow the cluster: a change that is not in the kernel after the time-out makes a family unhealthy
 * (pkg/proxy/healthcheck/proxy_health.go).
 */
export class ProxyHealth {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #lastUpdated = new Map<Family, number>();
  /** When the oldest change that is not written yet came. */
  readonly #oldestPending = new Map<Family, number>();
  readonly #written = new Set<Family>();
  node: DeepReadonly<Node> | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** A family begins: healthy until a change waits for too long. */
  begin(family: Family): void {
    this.#lastUpdated.set(family, this.#clock.now());
  }

  /** A change came that must be written. */
  queued(family: Family): void {
    if (!this.#oldestPending.has(family)) this.#oldestPending.set(family, this.#clock.now());
  }

  /** Everything is in the kernel. */
  updated(family: Family): void {
    this.#oldestPending.delete(family);
    this.#lastUpdated.set(family, this.#clock.now());
    this.#written.add(family);
  }

  get isHealthy(): boolean {
    return [...this.#lastUpdated.keys()].every((family) => this.#isHealthy(family));
  }

  /** Whether every family was written at least once. */
  get isWritten(): boolean {
    return this.#lastUpdated.size > 0 && [...this.#lastUpdated.keys()].every((family) => this.#written.has(family));
  }

  /** Whether load balancers may send here: the node is there, and nobody is about to delete it. */
  get isEligible(): boolean {
    const { node } = this;
    if (node === undefined || node.metadata?.deletionTimestamp !== undefined) return false;
    return !(node.spec?.taints ?? []).some(({ key }) => key === toBeDeletedTaint);
  }

  #isHealthy(family: Family): boolean {
    const pending = this.#oldestPending.get(family);
    return pending === undefined || this.#clock.now() - pending < this.#timeoutMs;
  }

  /** The page's JSON, member for member as upstream writes it (pkg/proxy/healthcheck/proxy_health.go, lastUpdated). While healthy, `lastUpdated` is now: old clients expect a recent time. */
  report(isOk: boolean, more: { readonly nodeEligible?: boolean } = {}): string {
    const now = this.#clock.now();
    const text = (ms: number): string => (ms === 0 ? "0001-01-01T00:00:00Z" : new Date(ms).toISOString());
    const entries = [...this.#lastUpdated].sort(([a], [b]) => (a < b ? -1 : 1));
    const status = Object.fromEntries(
      entries.map(([family, at]) => [family, { lastUpdated: text(at), healthy: this.#isHealthy(family) }]),
    );
    return JSON.stringify({
      lastUpdated: text(isOk ? now : largest(this.#lastUpdated.values(), 0)),
      currentTime: text(now),
      ...more,
      healthy: this.isHealthy,
      ...(entries.length > 0 && { status }),
    });
  }
}
