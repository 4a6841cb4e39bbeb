import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";
import { expect, it } from "vitest";
import { ensureCertificates } from "./ensure-certificates.js";
import { followCertificates } from "./follow-certificates.js";

it("certificates of a folder that was deleted while the server runs are not made again", () => {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-follow-"));
  const options = { clock: systemClock, random: systemRandom };
  const current = ensureCertificates(directory, options);
  const due: (() => void)[] = [];
  const clock = {
    ...systemClock,
    now: () => systemClock.now(),
    setTimer: (_: number, fire: () => void) => {
      due.push(fire);
      return { cancel: () => {} };
    },
  };
  const used: unknown[] = [];
  const use = (next: unknown): void => void used.push(next);
  const followed = followCertificates(directory, { ...options, clock, log: silentLogger }, { current, use });
  rmSync(directory, { recursive: true });
  due[0]?.();
  followed.stop();
  expect(due.length).toBeGreaterThan(1); // it looks again
  expect(existsSync(directory)).toBe(false);
  expect(used).toEqual([]);
});
