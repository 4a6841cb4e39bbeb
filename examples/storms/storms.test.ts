// Every sample operator in storms, by seed: `npm run tool -- storms` runs a hundred of each, `npm test` one of some.
import { describe, expect, it } from "vitest";
import { cronInAStorm } from "./cron-storm.js";
import { injectorInAStorm } from "./injector-storm.js";
import { mirrorInAStorm } from "./mirror-storm.js";
import { siteInAStorm } from "./site-storm.js";

const asked = process.env["COXSWAIN_STORMS"];
const first = Number(process.env["COXSWAIN_SEED"] ?? 0);
const seeds = Array.from({ length: Number(asked ?? 1) }, (_, at) => first + at);

/** As during a rolling update of an operator without leader election. */
const unelected = { replicas: ["first", "second"], elected: false };

const rows: { name: string; inSlice: boolean; run(seed: number): Promise<void> }[] = [
  {
    name: "the cron-like operator writes every report once and nothing over newer changes",
    inSlice: false,
    async run(seed) {
      const { reports, due, overwrites } = await cronInAStorm(seed, ["reports"]);
      expect(overwrites).toEqual([]);
      expect(reports).toEqual(due);
    },
  },
  {
    name: "two replicas of it never reconcile at once",
    inSlice: true,
    async run(seed) {
      const { reports, due, ...wrong } = await cronInAStorm(seed, ["first", "second"]);
      expect(wrong).toEqual({ overwrites: [], foreign: [], overlaps: [] });
      expect(reports).toEqual(due);
    },
  },
  {
    name: "the mirror makes both clusters equal and replaces no copy by an older one",
    inSlice: true,
    async run(seed) {
      const { originals, copies, overwrites } = await mirrorInAStorm(seed, ["mirror"]);
      expect(overwrites).toEqual([]);
      expect(copies).toEqual(originals);
    },
  },
  {
    name: "two replicas of the mirror never reconcile at once",
    inSlice: false,
    async run(seed) {
      const { originals, copies, ...wrong } = await mirrorInAStorm(seed, ["first", "second"]);
      expect(wrong).toEqual({ overwrites: [], overlaps: [] });
      expect(copies).toEqual(originals);
    },
  },
  {
    name: "an operator with derived objects replaces none that was made from a newer source",
    inSlice: false,
    async run(seed) {
      const { wanted, ...there } = await siteInAStorm(seed, { replicas: ["first", "second"], elected: true });
      expect(there).toEqual({ deployed: wanted, reported: wanted, overwrites: [], revivals: [] });
    },
  },
  {
    name: "two of them that elect no leader replace none either",
    inSlice: true,
    async run(seed) {
      const { wanted, revivals: _, ...there } = await siteInAStorm(seed, unelected);
      expect(there).toEqual({ deployed: wanted, reported: wanted, overwrites: [] });
    },
  },
  {
    name: "no pod passes the injector without its sidecar",
    inSlice: true,
    run: async (seed) => expect(await injectorInAStorm(seed)).toEqual({ without: [], last: true }),
  },
];

describe("in a storm", { timeout: 600_000 }, () => {
  for (const { name, inSlice, run } of rows)
    for (const seed of seeds) if (inSlice || asked !== undefined) it(`${name} (seed ${seed})`, () => run(seed));

  it("an apply that compares nothing is caught: the storm is one that finds such writes", async () => {
    const found: string[] = [];
    for (let seed = first; found.length === 0 && seed < first + 20; seed++)
      found.push(...(await siteInAStorm(seed, { ...unelected, plain: true })).overwrites);
    expect(found).not.toEqual([]);
  });
});
