import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ApiCheck } from "./api-check.js";
import { ApiSession } from "./api-session.js";
import type { ApiUnderTest } from "./api-under-test.js";
import { applyingChecks } from "./applying.js";
import { deletingChecks } from "./deleting.js";
import { readingChecks } from "./reading.js";
import { watchingChecks } from "./watching.js";
import { writingChecks } from "./writing.js";

const parts: readonly { readonly name: string; readonly checks: readonly ApiCheck[] }[] = [
  { name: "reading", checks: readingChecks },
  { name: "writing", checks: writingChecks },
  { name: "applying", checks: applyingChecks },
  { name: "deleting", checks: deletingChecks },
  { name: "watching", checks: watchingChecks },
];

/** What clients (kubectl, client-go, controllers) rely on, for one kind of any API server. Each check opens its own. */
export function describeApi(name: string, under: ApiUnderTest): void {
  const { knownGaps = {} } = under;
  describe(`API conformance: ${name}`, () => {
    for (const part of parts)
      describe(part.name, () => {
        for (const check of part.checks) {
          if (!(check.concerns?.(under) ?? true)) continue;
          it(check.title, async () => {
            const gap = Object.hasOwn(knownGaps, check.title) ? knownGaps[check.title] : undefined;
            const run = runCheck(under, check);
            if (gap === undefined) await run;
            else await assert.rejects(run, `now passes, delete the gap: ${gap}`);
          });
        }
      });
  });
}

async function runCheck(under: ApiUnderTest, { body }: ApiCheck): Promise<void> {
  const { transport, stop } = await under.open();
  try {
    await body(new ApiSession(transport, under));
  } finally {
    await stop();
  }
}
