import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { smallest } from "@coxswain/apimachinery/append";
import { macrotask } from "@coxswain/runtime/event-loop";
import { describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";
import type { StartClusterOptions } from "./start-options.js";

/** `npm run tool -- forks` runs 1,000. */
const count = Number(process.env["COXSWAIN_FORKS"] ?? 0);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What is alive, in MB. */
async function alive(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) await macrotask(); // a promise that has just settled is still on the stack
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const cases: readonly { name: string; options: StartClusterOptions; forks: number }[] = [
  { name: "of an API server", options: { nodes: 0, controllers: [], scheduler: false }, forks: count || 20 },
  { name: "of a whole cluster", options: {}, forks: count || 6 },
];

describe("memory after forks and stops", () => {
  for (const { name, options, forks } of cases)
    it(`${name}: nothing of a stopped fork stays`, async () => {
      const cluster = await startCluster({ ...options, seed: 1 });
      const stopped: WeakRef<object>[] = [];
      const megabytes: number[] = [];
      for (let at = 1; at <= forks; at++) {
        const fork = await cluster.fork();
        await fork.client.core.v1.configmaps("default").create({ metadata: { name: "a" } });
        await fork.stop();
        stopped.push(new WeakRef(fork));
        if (at % (count / 50) === 0) megabytes.push(await alive());
      }
      await alive();
      // The variable above and the engine may hold the last ones.
      const kept = stopped.slice(0, -2).filter((reference) => reference.deref() !== undefined);
      expect(kept).toHaveLength(0);
      await cluster.stop();
      if (count === 0) return;
      console.log(
        `${name}: MB alive after every ${count / 50} forks: ${megabytes.map((mb) => mb.toFixed(1)).join(" ")}`,
      );
      // Compiled code is kept, too: some KB for each fork were seen in the second half, where a kept fork would be megabytes.
      expect(smallest(megabytes.slice(40)) - smallest(megabytes.slice(20, 30))).toBeLessThan(2);
    }, 7_200_000);
});
