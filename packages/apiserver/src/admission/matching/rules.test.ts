import type { RuleWithOperations } from "@coxswain/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import { isExempt, type RuledRequest, ruleMatches } from "./rules.js";

const everything: RuleWithOperations = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
const request: RuledRequest = {
  operation: "UPDATE",
  resource: { group: "apps", version: "v1", resource: "deployments" },
  subresource: "",
  namespace: "default",
};
const namespaces = { ...request, resource: { group: "", version: "v1", resource: "namespaces" }, namespace: "default" };

describe("a rule", () => {
  const cases: { name: string; rule: object; request?: Partial<RuledRequest>; matches: boolean }[] = [
    { name: "for everything", rule: {}, matches: true },
    { name: "for subresources too", rule: {}, request: { subresource: "status" }, matches: true },
    { name: "for resources without subresources", rule: { resources: ["*"] }, matches: true },
    { name: "for no subresource", rule: { resources: ["*"] }, request: { subresource: "status" }, matches: false },
    {
      name: "for one subresource of all",
      rule: { resources: ["*/status"] },
      request: { subresource: "status" },
      matches: true,
    },
    {
      name: "for all subresources of one",
      rule: { resources: ["deployments/*"] },
      request: { subresource: "scale" },
      matches: true,
    },
    { name: "for all subresources of one, and itself", rule: { resources: ["deployments/*"] }, matches: true },
    { name: "for another group", rule: { apiGroups: ["batch"] }, matches: false },
    { name: "for another version", rule: { apiVersions: ["v1beta1"] }, matches: false },
    { name: "for another operation", rule: { operations: ["CREATE", "DELETE"] }, matches: false },
    { name: "for objects in namespaces", rule: { scope: "Namespaced" }, matches: true },
    { name: "for cluster-wide objects", rule: { scope: "Cluster" }, matches: false },
    {
      name: "for cluster-wide objects, and a namespace is one",
      rule: { scope: "Cluster" },
      request: namespaces,
      matches: true,
    },
    {
      name: "for objects in namespaces, and a namespace is none",
      rule: { scope: "Namespaced" },
      request: namespaces,
      matches: false,
    },
  ];
  for (const { name, rule, request: more, matches } of cases)
    it(`${name} ${matches ? "matches" : "does not match"}`, () =>
      expect(ruleMatches({ ...everything, ...rule }, { ...request, ...more })).toBe(matches));

  it("never covers what configures admission", () => {
    const group = "admissionregistration.k8s.io";
    expect(isExempt({ group, kind: "MutatingAdmissionPolicyBinding" })).toBe(true);
    expect(isExempt({ group: "apps", kind: "Deployment" })).toBe(false);
  });
});
