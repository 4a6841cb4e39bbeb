import { describe, expect, it } from "vitest";
import { planRegistration, specOf, type WantedService } from "./plan-registration.js";

const want = (managed: "onstart" | "true"): WantedService => ({
  group: "boats.example.com",
  version: "v1",
  groupPriority: 1000,
  versionPriority: 100,
  managed,
});
const spec = specOf(want("true"));
const there = (label: string | undefined, priority = 1000) =>
  ({
    metadata: {
      name: "v1.boats.example.com",
      ...(label === undefined ? {} : { labels: { "kube-aggregator.kubernetes.io/automanaged": label } }),
    },
    spec: { ...spec, groupPriorityMinimum: priority },
  }) as never;

describe("what the server does about an APIService", () => {
  const cases = [
    { name: "neither wanted nor there", plan: "nothing" },
    { name: "wanted at the start and missing", wanted: want("onstart"), plan: "create" },
    { name: "wanted at the start and deleted since", wanted: want("onstart"), isSynced: true, plan: "nothing" },
    { name: "wanted all the time and missing", wanted: want("true"), isSynced: true, plan: "create" },
    { name: "made by somebody else", wanted: want("true"), current: there(undefined, 5), plan: "nothing" },
    { name: "somebody else's that nobody wants", current: there(undefined), plan: "nothing" },
    { name: "of the start, made after it", wanted: want("true"), current: there("onstart", 5), plan: "nothing" },
    { name: "left over from an earlier start", current: there("onstart"), wasThereAtStart: true, plan: "delete" },
    {
      name: "left over, but looked at before",
      current: there("onstart"),
      wasThereAtStart: true,
      isSynced: true,
      plan: "nothing",
    },
    {
      name: "of an earlier start with other priorities",
      wanted: want("onstart"),
      current: there("onstart", 5),
      wasThereAtStart: true,
      plan: "update",
    },
    { name: "of a definition that is gone", current: there("true"), isSynced: true, plan: "delete" },
    { name: "changed by somebody", wanted: want("true"), current: there("true", 5), isSynced: true, plan: "update" },
    { name: "as it should be", wanted: want("true"), current: there("true"), plan: "nothing" },
  ];
  for (const { name, plan, isSynced = false, wasThereAtStart = false, wanted, current } of cases)
    it(name, () => expect(planRegistration({ wanted, current, isSynced, wasThereAtStart })).toBe(plan));
});
