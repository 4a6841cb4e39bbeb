import { expect, it } from "vitest";
import { gatedPolicy } from "./gated-policy.js";
import { bootstrapPolicy } from "./gen/bootstrap-policy.js";

const names = (...gates: string[]) =>
  gatedPolicy({ enabled: (gate) => gates.includes(gate) }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

it("a controller behind a gate gets its role and binding with the gate", () => {
  expect(names()).toEqual([]);
  expect(names("GenericWorkload")).toEqual([
    "ClusterRole system:controller:podgroup-protection-controller",
    "ClusterRoleBinding system:controller:podgroup-protection-controller",
  ]);
});

it("one behind two gates needs both", () => {
  expect(names("StorageVersionAPI")).toEqual([]);
  expect(names("StorageVersionAPI", "APIServerIdentity")).toHaveLength(2);
});

it("none of them is among those that every cluster begins with", () => {
  const all = new Set(bootstrapPolicy.map(({ metadata }) => metadata.name));
  const gated = gatedPolicy({ enabled: () => true });
  expect(gated.filter(({ metadata }) => all.has(metadata.name))).toEqual([]);
});
