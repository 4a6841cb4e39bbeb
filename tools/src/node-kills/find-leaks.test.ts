import { describe, expect, it } from "vitest";
import { findLeaks, logLink } from "./find-leaks.js";
import { planKills } from "./plan-kills.js";

const [own, other] = ["11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"];
const [ownId, otherId] = ["a".repeat(64), "b".repeat(64)];
const [ownNetns, otherNetns] = [`cni-${own}`, `cni-${other}`];
const containers = [{ id: ownId, podUid: own, netns: ownNetns }];

describe("what belongs to no pod", () => {
  const cases: readonly { name: string; thing: string; what?: string; leaks?: "kubelet" | "runtime" }[] = [
    { name: "a mount of a pod that is there does", thing: `/var/lib/kubelet/pods/${own}/volumes/v` },
    { name: "a mount of a pod that is gone", thing: `/var/lib/kubelet/pods/${other}/volumes/v`, leaks: "kubelet" },
    { name: "a control group of a pod that is gone", thing: `/kubepods/burstable/pod${other}`, leaks: "kubelet" },
    { name: "a control group of a pod that is there does", thing: `/kubepods/burstable/pod${own}` },
    { name: "a container's group in a pod that is gone", thing: `/kubepods/pod${other}/${otherId}`, leaks: "kubelet" },
    { name: "a forgotten container's group in a pod", thing: `/kubepods/pod${own}/${otherId}`, leaks: "runtime" },
    { name: "the bundle of a container does", thing: `/run/containerd/${ownId}` },
    { name: "the bundle of a forgotten container", thing: `/run/containerd/${otherId}`, leaks: "runtime" },
    { name: "the link to its log", what: logLink, thing: `/var/log/containers/a-${otherId}.log`, leaks: "kubelet" },
    { name: "a network namespace of no container", thing: `/run/netns/${otherNetns}`, leaks: "runtime" },
    { name: "the network namespace of a container does", thing: `/run/netns/${ownNetns}` },
    { name: "logs of a pod that is gone", thing: `/var/log/pods/default_web_${other}`, leaks: "kubelet" },
    { name: "what names neither belongs to the machine", thing: "/proc" },
  ];
  for (const { name, what = "thing", thing, leaks } of cases)
    it(name, () =>
      expect(findLeaks({ containers, things: [{ what, name: thing }] }, new Set([own]))).toEqual({
        kubelet: [],
        runtime: [],
        ...(leaks && { [leaks]: [`${what} ${thing}`] }),
      }),
    );

  it("a container of a pod that is gone, with what is its own", () =>
    expect(findLeaks({ containers, things: [{ what: "netns", name: ownNetns }] }, new Set([other])).kubelet).toEqual([
      `container or sandbox ${ownId} of pod ${own}`,
      `netns ${ownNetns}`,
    ]));
});

describe("the plan of a seed", () => {
  it("is the same for the same seed, and kills all three ways", () => {
    const plan = planKills(3, new Map(), 10);
    expect(planKills(3, new Map(), 10)).toEqual(plan);
    expect(plan.population.size).toBe(10);
    expect(plan.steps.flatMap((step) => (step.do === "kill" ? [step.victim] : [])).toSorted()).toEqual([
      "both",
      "containerd",
      "kubelet",
    ]);
  });
});
