import { describe, expect, it } from "vitest";
import { type CrashBackoff, planRestart } from "./crash-backoff.js";
import { pod, run } from "./pod.test.support.js";

const exited = (finishedAt: number) => run("a", "exited 1", { finishedAt });
const cases: { name: string; finishedAt?: number; backoff?: CrashBackoff; now: number; leads: string }[] = [
  { name: "a first start needs no wait", now: 0, leads: "start" },
  { name: "the first restart comes at once", finishedAt: 1000, now: 1000, leads: "start, 10s next" },
  {
    name: "the second waits for ten seconds",
    finishedAt: 2000,
    backoff: { waitMs: 10_000, updatedAt: 1000 },
    now: 3000,
    leads: "until 12000: back-off 10s restarting failed container=a pod=web_default(u1)",
  },
  {
    name: "when they are over, the next wait is twice as long",
    finishedAt: 2000,
    backoff: { waitMs: 10_000, updatedAt: 1000 },
    now: 12_000,
    leads: "start, 20s next",
  },
  {
    name: "no wait is longer than five minutes",
    finishedAt: 0,
    backoff: { waitMs: 300_000, updatedAt: 0 },
    now: 300_000,
    leads: "start, 300s next",
  },
  {
    name: "after ten quiet minutes it begins anew",
    finishedAt: 700_000,
    backoff: { waitMs: 160_000, updatedAt: 0 },
    now: 700_000,
    leads: "start, 10s next",
  },
];

describe("restarts of a failing container", () => {
  for (const { name, finishedAt, backoff, now, leads } of cases)
    it(name, () => {
      const latest = finishedAt === undefined ? undefined : exited(finishedAt);
      const step = planRestart(pod(), { latest, backoff, now });
      const next = step.at === "start" && step.backoff ? `, ${step.backoff.waitMs / 1000}s next` : "";
      expect(step.at === "wait" ? `until ${step.until}: ${step.failure.message}` : `start${next}`).toBe(leads);
    });
});
