import type { Scheduler } from "@coxswain/runtime/scheduler";
import { inParallel } from "./in-parallel.js";

export interface BeatingNode {
  /** Resolves when the lease is renewed, or was not; it does not reject. */
  renew(): Promise<void>;
  look(): Promise<void>;
}

/**
 * Renewals that are sent without a break, some 100 ms of work for a server in the same process. That many are due at once only when the
 * process stood still: 5,000 nodes keep their leases as long as an iteration of the event loop takes less than half a second.
 */
const renewalsPerSection = 250;
/** What a section takes at least, in microseconds: a whole time slice, so that others run after each. */
const microsPerSection = 5000;

/**
 * The heartbeat of nodes that are due. All renewals are sent before anything else is done, and nothing waits for their answers:
 * a node whose lease is not renewed in time counts as dead, and everything else may be late.
 */
export async function beatAll(scheduler: Scheduler, nodes: readonly BeatingNode[]): Promise<void> {
  const renewals: Promise<void>[] = [];
  for (const node of nodes) {
    renewals.push(node.renew());
    const pause = renewals.length % renewalsPerSection === 0 ? scheduler.yield(microsPerSection) : undefined;
    if (pause) await pause;
  }
  await Promise.all([inParallel(scheduler, nodes, (node) => node.look()), ...renewals]);
}
