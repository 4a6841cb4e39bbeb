import { describe, expect, it } from "vitest";
import { excess } from "./memory-growth.js";

describe("memory after twenty rounds", () => {
  const rows: { name: string; before: number; after: number; found: string | undefined }[] = [
    { name: "less than before", before: 80e6, after: 79e6, found: undefined },
    { name: "caches that are bounded by number", before: 80e6, after: 87e6, found: undefined },
    {
      name: "half a megabyte of each round is left",
      before: 80e6,
      after: 90e6,
      found: "memory grew from 80.0 to 90.0 MB in 20 rounds, 500 kB in each",
    },
  ];
  for (const { name, before, after, found } of rows)
    it(name, () => expect(excess({ before, after, rounds: 20 })).toBe(found));
});
