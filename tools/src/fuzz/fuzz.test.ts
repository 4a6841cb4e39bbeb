import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { runTarget } from "./fuzz-run.js";
import { targets } from "./targets/index.js";

/** Of each target; `npm run tool -- fuzz` goes on for as long as one likes. A finding is run again by its seed. */
const executions = Number(process.env["COXSWAIN_FUZZ_EXECUTIONS"] ?? 1500);
/** Those with a connection per execution. */
const slow = new Set(["http1-bytes", "http2-frames"]);
const seed = process.env["COXSWAIN_FUZZ_SEED"] ?? "1";

describe(`a little fuzzing, seed ${seed}`, () => {
  for (const [name, create] of Object.entries(targets)) {
    it(name, { timeout: 60_000 }, async () => {
      const target = await create();
      const { findings, accepted } = await runTarget(target, {
        random: createSeededRandom(`${name} ${seed}`),
        isOver: (done) => done >= (slow.has(name) ? executions / 10 : executions),
      });
      await target.stop?.();
      expect(
        findings.map(({ input, error }) => ({ input: JSON.stringify(Buffer.from(input).toString("latin1")), error })),
      ).toEqual([]);
      expect(accepted).toBeGreaterThan(0);
    });
  }
});
