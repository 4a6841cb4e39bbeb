import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { quickDirectory } from "../test-directory.test.support.js";
import { type DamageResult, describeResult, makeTemplates, runDamage } from "./damage-run.js";

/** `npm run tool -- store-damage` sets it: how many cases. */
const cases = Number(process.env.COXSWAIN_DAMAGE ?? 30);

describe("a damaged file of the embedded store", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(quickDirectory, "coxswain-damage-"));
    await makeTemplates(root);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it(`is harmless, refused or reported, and never served as truth: ${cases} cases`, {
    timeout: 60_000 + cases * 5_000,
  }, async () => {
    const counts = new Map<string, number>();
    const wrong: string[] = [];
    for await (const result of runDamage(
      root,
      Array.from({ length: cases }, (_, i) => i + 1),
    )) {
      counts.set(result.verdict.is, (counts.get(result.verdict.is) ?? 0) + 1);
      if (result.verdict.is === "wrong" || isUnexplained(result)) wrong.push(describeResult(result));
    }
    if (cases > 100) console.log(Object.fromEntries([...counts].sort()));
    assert.deepEqual(wrong, []);
  });
});

/** What a server reports of the data file or the log, the check names, too. */
const isUnexplained = ({ verdict, damage, check }: DamageResult): boolean =>
  (verdict.is === "refused" || verdict.is === "reported") &&
  damage.file.startsWith("data.") &&
  check?.damage.length === 0;
