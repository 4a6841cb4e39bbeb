import type { Pod, ResourceQuota } from "@coxswain/api/core/v1";
import { countObjects, createPodEvaluator, serviceEvaluator } from "@coxswain/api/quota";
import { describe, expect, it } from "vitest";
import { type CountedKind, isAffected, planStatus } from "./plan.js";

const pods = createPodEvaluator({ now: () => 0, gates: { enabled: () => true } });
const pod = (
  cpu: string,
  more: Partial<NonNullable<Pod["spec"]>> = {},
  phase: "Running" | "Succeeded" = "Running",
): Pod => ({
  spec: { containers: [{ name: "c", resources: { requests: { cpu }, limits: { cpu } } }], ...more },
  status: { phase },
});
const kinds = (objects: { pods?: object[]; services?: object[]; secrets?: object[] }): CountedKind[] => [
  { evaluator: pods, objects: () => objects.pods ?? [] },
  { evaluator: serviceEvaluator, objects: () => objects.services ?? [] },
  { evaluator: countObjects("", "secrets"), objects: () => objects.secrets ?? [] },
];
type Spec = NonNullable<ResourceQuota["spec"]>;

describe("the usage of a quota", () => {
  const gold = { scopeName: "PriorityClass" as const, operator: "In" as const, values: ["gold"] };
  const rows: { name: string; spec: Spec; objects: Parameters<typeof kinds>[0]; used: Record<string, string> }[] = [
    {
      name: "is zero where nothing is there",
      spec: { hard: { pods: "5", cpu: "1", secrets: "3" } },
      objects: {},
      used: { cpu: "0", pods: "0", secrets: "0" },
    },
    {
      name: "is the sum of what pods ask for",
      spec: { hard: { pods: "5", "requests.cpu": "1", "limits.cpu": "2" } },
      objects: { pods: [pod("100m"), pod("300m")] },
      used: { pods: "2", "requests.cpu": "400m", "limits.cpu": "400m" },
    },
    {
      name: "leaves out pods that have ended, but counts them",
      spec: { hard: { "count/pods": "5", pods: "5" } },
      objects: { pods: [pod("1"), pod("1", {}, "Succeeded")] },
      used: { "count/pods": "2", pods: "1" },
    },
    {
      name: "has the old and the new name of a count",
      spec: { hard: { secrets: "5", "count/secrets": "5" } },
      objects: { secrets: [{}, {}] },
      used: { secrets: "2", "count/secrets": "2" },
    },
    {
      name: "counts services by what they take",
      spec: { hard: { "services.nodeports": "5" } },
      objects: { services: [{ spec: { type: "NodePort", ports: [{}, {}] } }, { spec: { type: "ClusterIP" } }] },
      used: { "services.nodeports": "2" },
    },
    {
      name: "leaves out what nobody can count",
      spec: { hard: { "count/unicorns.example.com": "1", pods: "1" } },
      objects: {},
      used: { pods: "0" },
    },
    {
      name: "is of a scope",
      spec: { hard: { pods: "5" }, scopes: ["Terminating"] },
      objects: { pods: [pod("1", { activeDeadlineSeconds: 5 }), pod("1")] },
      used: { pods: "1" },
    },
    {
      name: "is of all scopes together",
      spec: { hard: { pods: "5" }, scopes: ["NotTerminating"], scopeSelector: { matchExpressions: [gold] } },
      objects: {
        pods: [
          pod("1", { priorityClassName: "gold" }),
          pod("1", { priorityClassName: "gold", activeDeadlineSeconds: 5 }),
          pod("1"),
        ],
      },
      used: { pods: "1" },
    },
    {
      name: "of kinds without scopes is nothing in a scope",
      spec: { hard: { secrets: "5" }, scopes: ["Terminating"] },
      objects: { secrets: [{}] },
      used: { secrets: "0" },
    },
  ];
  for (const { name, spec, objects, used } of rows)
    it(name, () => expect(planStatus({ spec }, kinds(objects))).toEqual({ hard: spec.hard, used }));

  it("is not written where nothing changes", () => {
    const spec = { hard: { pods: "5", cpu: "2" } };
    const status = { hard: { pods: "5", cpu: "2" }, used: { pods: "1", cpu: "1" } };
    expect(planStatus({ spec, status }, kinds({ pods: [pod("1000m")] }))).toBeUndefined();
  });
  it("is written when limits change, without what is no longer limited", () => {
    const status = { hard: { pods: "5", cpu: "2" }, used: { pods: "0", cpu: "0" } };
    expect(planStatus({ spec: { hard: { pods: "6" } }, status }, kinds({}))).toEqual({
      hard: { pods: "6" },
      used: { pods: "0" },
    });
  });
  it("keeps what it was where nobody can count at present", () => {
    const hard = { "count/unicorns.example.com": "4" };
    const status = { hard: {}, used: { "count/unicorns.example.com": "3" } };
    expect(planStatus({ spec: { hard }, status }, kinds({}))?.used).toEqual({ "count/unicorns.example.com": "3" });
  });
});

describe("an update", () => {
  const rows: { name: string; spec: Spec; old: Pod; now: Pod; affects: boolean }[] = [
    {
      name: "that changes nothing that counts",
      spec: { hard: { pods: "1" } },
      old: pod("1"),
      now: pod("1", { nodeName: "n" }),
      affects: false,
    },
    {
      name: "by which a pod ends",
      spec: { hard: { pods: "1" } },
      old: pod("1"),
      now: pod("1", {}, "Succeeded"),
      affects: true,
    },
    {
      name: "by which a pod leaves a scope",
      spec: { hard: { "count/pods": "1" }, scopes: ["NotTerminating"] },
      old: pod("1"),
      now: pod("1", { activeDeadlineSeconds: 1 }),
      affects: true,
    },
    {
      name: "of what the quota does not count",
      spec: { hard: { secrets: "1" } },
      old: pod("1"),
      now: pod("1", {}, "Succeeded"),
      affects: false,
    },
  ];
  for (const { name, spec, old, now, affects } of rows)
    it(`${name} is ${affects ? "" : "no "}reason to count`, () =>
      expect(isAffected({ spec }, pods, [old, now])).toBe(affects));
});
