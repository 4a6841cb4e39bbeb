// Every sample operator in storms, by seed. `npm run storms` runs many of them.
import { describe, expect, it } from "vitest";
import { cronInAStorm } from "./cron-storm.js";
import { injectorInAStorm } from "./injector-storm.js";
import { mirrorInAStorm } from "./mirror-storm.js";

const seeds = Number(process.env["COXSWAIN_STORMS"] ?? 1);
const first = Number(process.env["COXSWAIN_SEED"] ?? 0);
const each = Array.from({ length: seeds }, (_, at) => first + at);

describe("in a storm", () => {
  for (const seed of each)
    it(`the cron-like operator writes every report once and nothing over newer changes (seed ${seed})`, async () => {
      const { reports, due, overwrites } = await cronInAStorm(seed, ["reports"]);
      expect(overwrites).toEqual([]);
      expect(reports).toEqual(due);
    }, 300_000);

  for (const seed of each)
    it(`two replicas of it never reconcile at once (seed ${seed})`, async () => {
      const { reports, due, ...wrong } = await cronInAStorm(seed, ["first", "second"]);
      expect(wrong).toEqual({ overwrites: [], foreign: [], overlaps: [] });
      expect(reports).toEqual(due);
    }, 300_000);

  for (const seed of each)
    it(`the mirror makes both clusters equal and replaces no copy by an older one (seed ${seed})`, async () => {
      const { originals, copies, overwrites } = await mirrorInAStorm(seed, ["mirror"]);
      expect(overwrites).toEqual([]);
      expect(copies).toEqual(originals);
    }, 300_000);

  for (const seed of each)
    it(`two replicas of the mirror never reconcile at once (seed ${seed})`, async () => {
      const { originals, copies, ...wrong } = await mirrorInAStorm(seed, ["first", "second"]);
      expect(wrong).toEqual({ overwrites: [], overlaps: [] });
      expect(copies).toEqual(originals);
    }, 300_000);

  for (const seed of each)
    it(`no pod passes the injector without its sidecar (seed ${seed})`, async () => {
      expect(await injectorInAStorm(seed)).toEqual({ without: [], last: true });
    }, 300_000);
});
