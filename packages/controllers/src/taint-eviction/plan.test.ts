import type { Taint, Toleration } from "@coxswain/api/core/v1";
import { expect, it } from "vitest";
import { type EvictionPlan, noExecuteTaints, planEviction } from "./plan.js";

const taint = (key: string): Taint => ({ key, value: "v", effect: "NoExecute" });
const toleration = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: "Exists",
  effect: "NoExecute",
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});
const now = 100_000;
const stay: EvictionPlan = { kind: "stay" };
const evict: EvictionPlan = { kind: "evict" };
const wait = (seconds: number): EvictionPlan => ({ kind: "wait", atMs: now + seconds * 1000 });

const rows: { name: string; taints?: Taint[]; tolerations?: Toleration[]; scheduledIn?: number; plan: EvictionPlan }[] =
  [
    { name: "no taints: the pod stays", taints: [], plan: stay },
    { name: "a taint that is not tolerated evicts at once", taints: [taint("a")], plan: evict },
    {
      name: "a toleration of another taint does not help",
      taints: [taint("a")],
      tolerations: [toleration("b")],
      plan: evict,
    },
    {
      name: "a toleration without a limit keeps the pod",
      taints: [taint("a")],
      tolerations: [toleration("a")],
      plan: stay,
    },
    {
      name: "one with a limit keeps it so long",
      taints: [taint("a")],
      tolerations: [toleration("a", 60)],
      plan: wait(60),
    },
    {
      name: "a limit of zero or less evicts at once",
      taints: [taint("a")],
      tolerations: [toleration("a", -1)],
      plan: evict,
    },
    {
      name: "of several limits the shortest counts",
      taints: [taint("a"), taint("b"), taint("c")],
      tolerations: [toleration("a", 60), toleration("b", 10), toleration("c")],
      plan: wait(10),
    },
    {
      name: "of several tolerations of a taint the first counts",
      taints: [taint("a")],
      tolerations: [toleration("a", 60), toleration("a", 10)],
      plan: wait(60),
    },
    {
      name: "one of two taints not tolerated evicts at once",
      taints: [taint("a"), taint("b")],
      tolerations: [toleration("a")],
      plan: evict,
    },
    {
      name: "a scheduled eviction is not put off by a longer toleration",
      taints: [taint("a")],
      tolerations: [toleration("a", 600)],
      scheduledIn: 5,
      plan: wait(5),
    },
    {
      name: "a scheduled eviction that is due happens",
      taints: [taint("a")],
      tolerations: [toleration("a", 60)],
      scheduledIn: 0,
      plan: evict,
    },
    { name: "a node without taints cancels it", taints: [], scheduledIn: 5, plan: stay },
    { name: "a node that has gone does not cancel it", scheduledIn: 5, plan: wait(5) },
    { name: "a node that has gone evicts nothing by itself", plan: stay },
  ];
for (const { name, taints, tolerations = [], scheduledIn, plan } of rows)
  it(name, () =>
    expect(
      planEviction({
        taints,
        tolerations,
        scheduled: scheduledIn === undefined ? undefined : { uid: "u", atMs: now + scheduledIn * 1000 },
        nowMs: now,
        comparison: true,
      }),
    ).toEqual(plan),
  );

it("only taints with the effect NoExecute count", () =>
  expect(noExecuteTaints({ spec: { taints: [taint("a"), { ...taint("b"), effect: "NoSchedule" }] } })).toEqual([
    taint("a"),
  ]));
