import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { closingChecks } from "./closing.js";
import { compactionChecks } from "./compaction.js";
import { damageChecks } from "./damage.js";
import { historyChecks } from "./history.js";
import { leaseChecks } from "./leases.js";
import { describeRandomRuns } from "./model/random-runs.js";
import { raceChecks } from "./races.js";
import { rangeChecks } from "./ranges.js";
import { reopenChecks } from "./reopening.js";
import { snapshotChecks } from "./snapshots.js";
import type { Check, StoreUnderTest } from "./store-under-test.js";
import { transactionChecks } from "./transactions.js";
import { watchChecks } from "./watches.js";
import { writeChecks } from "./writes.js";

/** The contract's parts, in the order one would read them. */
const parts: readonly { readonly name: string; readonly checks: readonly Check[] }[] = [
  { name: "writes", checks: writeChecks },
  { name: "transactions", checks: transactionChecks },
  { name: "ranges", checks: rangeChecks },
  { name: "history", checks: historyChecks },
  { name: "watches", checks: watchChecks },
  { name: "compaction", checks: compactionChecks },
  { name: "races", checks: raceChecks },
  { name: "leases", checks: leaseChecks },
  { name: "snapshots", checks: snapshotChecks },
  { name: "reopening", checks: reopenChecks },
  { name: "damage", checks: damageChecks },
  { name: "closing", checks: closingChecks },
];

/** The tests that belong to `KeyValueStore`: every engine passes them. */
export function describeKeyValueStore(name: string, under: StoreUnderTest): void {
  const { knownGaps = {}, timeoutMs = 30_000 } = under;
  describe(`KeyValueStore conformance: ${name}`, () => {
    for (const part of parts) {
      describe(part.name, () => {
        for (const check of part.checks) {
          it(check.title, { timeout: timeoutMs }, async (context) => {
            const gap = Object.hasOwn(knownGaps, check.title) ? knownGaps[check.title] : undefined;
            const run = runCheck(under, check, () => context.skip("not with this engine"));
            if (gap === undefined) await run;
            else await assert.rejects(run, `now passes, delete the gap: ${gap}`);
          });
        }
      });
    }
    describeRandomRuns(under);
  });
}

async function runCheck(
  { open }: StoreUnderTest,
  { body, needsReopen = false, needsDamage = false }: Check,
  skip: () => void,
): Promise<void> {
  const opened = await open();
  try {
    if ((needsReopen && opened.reopen === undefined) || (needsDamage && opened.damage === undefined)) return skip();
    const advance = opened.advance ?? ((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
    const { store, reopen, damage } = opened;
    await body({ store, advance, ...(reopen && { reopen }), ...(damage && { damage }) });
  } finally {
    await opened.store.close();
    await opened.dispose?.();
  }
}
