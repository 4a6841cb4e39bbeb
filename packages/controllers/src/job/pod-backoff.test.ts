import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { finishedAtMs, recordEnds, remainingBackoffMs } from "./pod-backoff.js";

const now = Date.UTC(2026, 0, 1);
const at = (seconds: number): number => now + seconds * 1000;
const time = (seconds: number): string => formatTime(at(seconds));
const container = (name: string, finished?: number) => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  state: finished === undefined ? {} : { terminated: { exitCode: 1, finishedAt: time(finished) } },
});
const ended = (seconds: number): Pod => ({ status: { containerStatuses: [container("c", seconds)] } });

describe("the record of failures", () => {
  const before = { failures: 2, lastFailureMs: at(-50) };
  const rows: { name: string; succeeded?: number[]; failed?: number[]; record: [failures: number, last?: number] }[] = [
    { name: "stays without news", record: [2, -50] },
    { name: "grows with failures", failed: [-9, -20], record: [4, -9] },
    { name: "is forgotten with a success", succeeded: [-9], record: [0] },
    {
      name: "counts only failures after the last success",
      succeeded: [-20, -10],
      failed: [-30, -10, -5, -2],
      record: [2, -2],
    },
  ];
  for (const {
    name,
    succeeded = [],
    failed = [],
    record: [failures, last],
  } of rows)
    it(name, () =>
      expect(recordEnds(before, { succeeded: succeeded.map(ended), failed: failed.map(ended) })).toEqual({
        failures,
        lastFailureMs: last === undefined ? 0 : at(last),
      }),
    );
});

describe("the wait after failures", () => {
  const rows: { failures: number; ago: number; waits: number }[] = [
    { failures: 0, ago: 0, waits: 0 },
    { failures: 1, ago: 0, waits: 10 },
    { failures: 1, ago: 4, waits: 6 },
    { failures: 1, ago: 11, waits: 0 },
    { failures: 3, ago: 0, waits: 40 },
    { failures: 6, ago: 0, waits: 320 },
    { failures: 7, ago: 0, waits: 600 },
    { failures: 500, ago: 100, waits: 500 },
  ];
  for (const { failures, ago, waits } of rows)
    it(`is ${waits} seconds when the last of ${failures} was ${ago} seconds ago`, () =>
      expect(remainingBackoffMs({ failures, lastFailureMs: at(-ago) }, now)).toBe(waits * 1000));
});

describe("when a pod ended", () => {
  const notReady = { type: "Ready", status: "False", lastTransitionTime: time(-7) } as const;
  const rows: { name: string; pod: Pod; seconds: number }[] = [
    {
      name: "when its last container did",
      pod: { status: { containerStatuses: [container("a", -9), container("b", -3)] } },
      seconds: -3,
    },
    {
      name: "when its sidecar did, but not an ordinary init container",
      pod: {
        spec: { containers: [], initContainers: [{ name: "side", restartPolicy: "Always" }, { name: "init" }] },
        status: {
          containerStatuses: [container("a", -9)],
          initContainerStatuses: [container("side", -4), container("init", -1)],
        },
      },
      seconds: -4,
    },
    {
      name: "when it ceased to be ready, where a container has no end time",
      pod: { status: { containerStatuses: [container("a", -9), container("b")], conditions: [notReady] } },
      seconds: -7,
    },
    {
      name: "when its deletion was asked for",
      pod: { metadata: { deletionTimestamp: time(20), deletionGracePeriodSeconds: 30 } },
      seconds: -10,
    },
    { name: "when it was created, at worst", pod: { metadata: { creationTimestamp: time(-99) } }, seconds: -99 },
  ];
  for (const { name, pod, seconds } of rows) it(name, () => expect(finishedAtMs(pod)).toBe(at(seconds)));
});
