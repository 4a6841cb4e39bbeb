import type { Write } from "../contract/key-value-store.js";
import { checkTransaction } from "./check-transaction.js";
import type { TxnRequest, TxnResponse } from "./messages.js";
import { type Revisions, type TransactionDeps, TransactionPlanner } from "./plan-transaction.js";

/** What a transaction did, and the store's revision then. */
export interface TransactionResult extends Omit<TxnResponse, "header"> {
  readonly revision: number;
}

/**
 * etcd's transaction over a store that compares revisions: everything is read at one revision, and the writes depend on it; who loses a race
 * reads again. So the result is as if nobody else had been there.
 */
export async function transact(deps: TransactionDeps, request: TxnRequest): Promise<TransactionResult> {
  checkTransaction(request);
  for (;;) {
    const at = await deps.store.readRevision();
    const planner = new TransactionPlanner(deps, at);
    const answer = await planner.plan(request);
    const answered = (revisions: Revisions): TransactionResult => ({ revision: revisions.after, ...answer(revisions) });
    // What changes nothing was read at one revision, and is answered as of it.
    if (planner.writes.length === 0) return answered({ before: at, after: at });
    const result = await deps.store.transaction([...planner.writes, ...checksOf(planner)]);
    // What others wrote since the reads is elsewhere: the transaction is as of the revision before its own.
    if (result.kind === "written") return answered({ before: result.revision - 1, after: result.revision });
  }
}

/** Keys that are written depend on their revision anyway. */
function checksOf({ read: { keys, ranges }, writes }: TransactionPlanner): Write[] {
  const written = new Set(writes.map(({ key }) => key));
  const checks = [...keys].flatMap(([key, record]): Write[] =>
    written.has(key) ? [] : [{ op: "check", key, expected: record?.revision ?? 0 }],
  );
  return [...checks, ...ranges];
}
