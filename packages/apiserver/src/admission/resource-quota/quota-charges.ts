import { equalAmounts, readAmounts } from "@coxswain/api/quota";
import type { AdmissionAttributes } from "../admission.js";
import { checkRequest, type Quota, type RunningQuota } from "./check-request.js";
import type { LimitedResource } from "./configuration.js";
import type { QuotaEvaluator } from "./evaluator.js";
import type { QuotaWriter } from "./quota-writer.js";

/** A lost race is tried again this often. */
const attempts = 4;

interface Waiting {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: QuotaEvaluator;
  readonly done: (refusal?: unknown) => void;
}

export interface QuotaChargesDeps {
  quotasOf(namespace: string): Quota[];
  readonly writer: QuotaWriter;
  readonly limited: readonly LimitedResource[];
}

/**
 * Charges requests to the quotas of their namespace. What is let through is written to the quotas' status first, against the
 * state that was checked: two requests never pass together where there is room for one. Those that come while a namespace is
 * being written wait, and go into the next write together.
 */
export function createQuotaCharges({ quotasOf, writer, limited }: QuotaChargesDeps): {
  charge(attributes: AdmissionAttributes, evaluator: QuotaEvaluator): Promise<void> | undefined;
} {
  const queues = new Map<string, Waiting[]>();

  async function workOff(namespace: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        await settle(batch, quotasOf(namespace), attempts);
      } catch (err) {
        for (const { done } of batch) done(err); // those that are settled already ignore it
      }
    }
    queues.delete(namespace);
  }

  async function settle(batch: readonly Waiting[], quotas: readonly Quota[], left: number): Promise<void> {
    const before: readonly RunningQuota[] = quotas.map((quota) => ({ quota, used: readAmounts(quota.status?.used) }));
    let running = before;
    const pending: Waiting[] = [];
    for (const waiting of batch) {
      try {
        const after = checkRequest(running, waiting.attributes, waiting.evaluator, limited);
        const changes =
          !waiting.attributes.dryRun && after.some(({ used }, i) => !equalAmounts(used, running[i]?.used ?? used));
        if (changes) pending.push(waiting);
        else waiting.done();
        if (changes) running = after;
      } catch (err) {
        waiting.done(err);
      }
    }
    const changed = running.filter(({ used }, i) => !equalAmounts(used, before[i]?.used ?? used));
    const lost = new Map<string, unknown>();
    for (const { quota, used } of changed) {
      const conflict = await writer.write(quota, used);
      if (conflict) lost.set(quota.metadata.name ?? "", conflict);
    }
    if (lost.size === 0) for (const { done } of pending) done();
    else if (left <= 1) for (const { done } of pending) done([...lost.values()][0]);
    // The others are charged already. A quota that is gone binds nobody.
    else
      await settle(
        pending,
        quotasOf(changed[0]?.quota.metadata.namespace ?? "").filter(({ metadata }) => lost.has(metadata.name ?? "")),
        left - 1,
      );
  }

  return {
    charge(attributes, evaluator) {
      const { namespace } = attributes;
      if (limited.length === 0 && quotasOf(namespace).length === 0) return undefined;
      return new Promise<void>((resolve, reject) => {
        const done = (refusal?: unknown): void => (refusal === undefined ? resolve() : reject(refusal as Error));
        const queue = queues.get(namespace);
        if (queue) return void queue.push({ attributes, evaluator, done });
        const fresh = [{ attributes, evaluator, done }];
        queues.set(namespace, fresh);
        void workOff(namespace, fresh);
      });
    },
  };
}
