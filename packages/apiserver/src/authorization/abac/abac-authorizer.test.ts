import { describe, expect, it } from "vitest";
import type { Attributes } from "../attributes.js";
import { abacRules, createAbacAuthorizer } from "./abac-authorizer.js";
import { parseAbacPolicies } from "./abac-policy.js";

const v1 = (spec: object): string =>
  JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });
const file = [
  "# who may do what",
  "",
  v1({ user: "alice", namespace: "*", resource: "*", apiGroup: "*" }),
  v1({ user: "bob", namespace: "shop", resource: "pods", readonly: true }),
  v1({ group: "ops", nonResourcePath: "/logs/*" }),
  v1({ user: "*", nonResourcePath: "/version", readonly: true }),
  v1({ namespace: "*", resource: "*", apiGroup: "*" }),
  JSON.stringify({ user: "old", resource: "events" }),
].join("\n");
const policies = parseAbacPolicies(file, "policy.jsonl");

/** "who[+group] verb resource[.group][@namespace]", or a path. */
function asked(question: string): Attributes {
  const [who = "", verb = "", what = ""] = question.split(" ");
  const [name = "", ...groups] = who.split("+");
  const [, resource = "", group = "", namespace = ""] = /^([a-z]*)(?:\.([a-z]+))?(?:@([a-z]+))?/.exec(what) ?? [];
  return {
    user: { name, groups },
    verb,
    isResource: !what.startsWith("/"),
    path: what,
    namespace,
    group,
    version: "v1",
    resource,
    subresource: "",
    name: "",
  };
}

describe("ABAC", () => {
  const cases: [question: string, allowed: boolean][] = [
    ["alice delete secrets.apps@shop", true],
    ["alice get /metrics", false],
    ["bob list pods@shop", true],
    ["bob delete pods@shop", false],
    ["bob list pods@lab", false],
    ["bob list pods.apps@shop", false],
    ["eve+ops get /logs/a/b", true],
    ["eve+ops get /logz", false],
    ["eve+system:authenticated get /version", true],
    ["eve get /version", false],
    ["old delete events.k@any", true],
    ["old get pods@any", false],
    ["nobody get pods@shop", false],
  ];
  for (const [question, allowed] of cases)
    it(`${question}: ${allowed ? "yes" : "no"}`, () =>
      expect(createAbacAuthorizer(policies)(asked(question))).toEqual(
        allowed ? { decision: "allow", reason: "" } : { decision: "no opinion", reason: "No policy matched." },
      ));

  it("lists what a user may do", () =>
    expect(abacRules(policies, { name: "bob", groups: [] }, "shop")).toEqual({
      resourceRules: [{ verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["pods"] }],
      nonResourceRules: [],
    }));

  it("names the line that cannot be read", () =>
    expect(() => parseAbacPolicies(`${v1({ user: "a" })}\n{`, "p")).toThrow(
      /^error reading policy file p, line 2: \{: /,
    ));
  it("refuses other kinds", () =>
    expect(() => parseAbacPolicies('{"apiVersion":"v1","kind":"Pod"}', "p")).toThrow(
      "expected a Policy of abac.authorization.kubernetes.io/v1beta1, not Pod of v1",
    ));
});
