import { describe, expect, it } from "vitest";
import { byDeletionOrder, type DeletionOrderOptions } from "./deletion-order.js";
import { type TestPod, testPod } from "./pods.test.support.js";

const now = Date.UTC(2026, 0, 1);
const minutesAgo = (minutes: number): number => now - minutes * 60_000;
const cost = (value: string) => ({ annotations: { "controller.kubernetes.io/pod-deletion-cost": value } });
const ready = { node: "n", readySince: minutesAgo(5), createdAt: minutesAgo(5) };

describe("which pod is deleted first", () => {
  const rows: { name: string; first: TestPod; last: TestPod; options?: DeletionOrderOptions }[] = [
    { name: "one without a node", first: { ...ready, node: "" }, last: ready },
    { name: "a pending one before a running one", first: { ...ready, phase: "Pending" }, last: ready },
    { name: "an unknown one before a running one", first: { ...ready, phase: "Unknown" }, last: ready },
    { name: "one that is not ready", first: { node: "n", createdAt: minutesAgo(5) }, last: ready },
    { name: "the one with the lower cost", first: { ...ready, ...cost("-1") }, last: ready },
    {
      name: "a cost with a leading zero counts as none",
      first: { ...ready, ...cost("-1") },
      last: { ...ready, ...cost("01") },
    },
    {
      name: "the one with more pods of the Deployment on its node",
      first: { ...ready, node: "full" },
      last: { ...ready, node: "free" },
      options: { related: [testPod({ node: "full" }), testPod({ node: "full" }), testPod({ node: "free" })] },
    },
    {
      name: "pods that have stopped are no neighbours",
      first: { ...ready, node: "free" },
      last: { ...ready, node: "full" },
      options: {
        related: [
          testPod({ node: "full", phase: "Failed" }),
          testPod({ node: "full", phase: "Succeeded" }),
          testPod({ node: "free" }),
        ],
      },
    },
    { name: "the one that became ready last", first: { ...ready, readySince: minutesAgo(1) }, last: ready },
    { name: "the one that restarted more often", first: { ...ready, restarts: 3 }, last: { ...ready, restarts: 1 } },
    { name: "the one that was created last", first: { ...ready, createdAt: minutesAgo(1) }, last: ready },
    {
      name: "of ages of one order of magnitude, the one with the smaller UID",
      first: { ...ready, readySince: minutesAgo(6) },
      last: { ...ready, readySince: minutesAgo(5) },
      options: { now },
    },
    {
      name: "of ages of two orders of magnitude, the younger",
      first: { ...ready, readySince: minutesAgo(5) },
      last: { ...ready, readySince: minutesAgo(60) },
      options: { now },
    },
  ];
  for (const { name, first, last, options } of rows)
    it(name, () => {
      const [a, b] = [testPod({ name: "a", ...first }), testPod({ name: "b", ...last })];
      expect(byDeletionOrder([a, b], options)).toEqual([a, b]);
      expect(byDeletionOrder([b, a], options)).toEqual([a, b]);
    });
});
