import { describe, expect, it } from "vitest";
import { createAbacAuthorizer } from "../abac/abac-authorizer.js";
import type { Attributes } from "../attributes.js";
import { type Rule, uncoveredRules } from "./covers.js";
import { describeRules } from "./describe-rules.js";
import { ruleAllows } from "./rule.js";

/** "verbs resources groups [names]", or "verbs /path". */
function rule(text: string): Rule {
  const [verbs = "", what = "", groups = "", names] = text.split(" ");
  if (what.startsWith("/") || what === "**")
    return { verbs: verbs.split(","), nonResourceURLs: what.replace("**", "*").split(",") };
  return {
    verbs: verbs.split(","),
    resources: what.split(","),
    apiGroups: groups === "core" ? [""] : groups.split(","),
    ...(names === undefined ? {} : { resourceNames: names.split(",") }),
  };
}

const cases: { name: string; held: string[]; wanted: string[]; missing?: string[] }[] = [
  { name: "the same", held: ["get pods core"], wanted: ["get pods core"] },
  {
    name: "part by part from several",
    held: ["get pods core", "list pods,services core"],
    wanted: ["get,list pods core"],
  },
  {
    name: "a verb that is missing",
    held: ["get pods core"],
    wanted: ["get,list,watch pods core"],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}'],
  },
  {
    name: "all verbs are more than any",
    held: ["get,list pods core"],
    wanted: ["* pods core"],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  },
  { name: "everything covers", held: ["* * *"], wanted: ["get pods/log core", "* * *"] },
  {
    name: "but no paths",
    held: ["* * *"],
    wanted: ["get /healthz"],
    missing: ['{NonResourceURLs:["/healthz"], Verbs:["get"]}'],
  },
  { name: "a subresource of all resources", held: ["get */scale *"], wanted: ["get deployments/scale apps"] },
  { name: "a name of all names", held: ["get secrets core"], wanted: ["get secrets core one"] },
  {
    name: "all names are more than one",
    held: ["get secrets core one"],
    wanted: ["get secrets core"],
    missing: ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
  },
  {
    name: "another name",
    held: ["get secrets core one"],
    wanted: ["get,list secrets core one,two"],
    missing: [
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["one"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["two"], Verbs:["get" "list"]}',
    ],
  },
  {
    name: "a rule of certain names covers no path",
    held: ["get pods core one"],
    wanted: ["get /a"],
    missing: ['{NonResourceURLs:["/a"], Verbs:["get"]}'],
  },
  {
    name: "combinations of which each needs another rule",
    held: ["get pods core", "get,list services core"],
    wanted: ["get,list pods,services core"],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'],
  },
  { name: "paths by their beginning", held: ["get /logs/*"], wanted: ["get /logs/a,/logs/*"] },
];

describe("rules that cover others", () => {
  for (const { name, held, wanted, missing = [] } of cases)
    it(name, () => expect(describeRules(uncoveredRules(held.map(rule), wanted.map(rule)).rules)).toEqual(missing));
});

it("paths with a long run of stars are compared in linear time", () => {
  const path = `/a${"*".repeat(1 << 20)}b*`;
  const held = rule(`get ${path}`);
  expect(uncoveredRules([held], [rule("get /x")]).rules).toHaveLength(1);
  const asked = { verb: "get", isResource: false, path: "/x" } as unknown as Attributes;
  expect(ruleAllows(held, asked)).toBe(false);
  const line = {
    user: "*",
    group: "",
    nonResourcePath: path,
    namespace: "",
    resource: "",
    apiGroup: "",
    readonly: false,
  };
  const decision = createAbacAuthorizer([line])({ ...asked, user: { name: "ada", groups: [] } });
  expect(decision).toMatchObject({ decision: "no opinion" });
});

describe("a rule with many combinations", () => {
  const list = (prefix: string, length: number): string[] => Array.from({ length }, (_, at) => `${prefix}${at}`);
  const cube: Rule = { apiGroups: list("g", 400), resources: list("r", 400), verbs: list("v", 400) };
  const held = (groups: string[], resources: string[], verbs: string[]): Rule => ({
    apiGroups: groups,
    resources,
    verbs,
  });
  const { apiGroups: groups = [], resources = [], verbs } = cube as { [k in keyof Rule]: string[] };

  it("is compared without writing the combinations out", () =>
    expect(uncoveredRules([held(["*"], ["*"], ["*"])], [cube])).toMatchObject({ rules: [], truncated: false }));
  it("is covered by rules that cover a part each", () =>
    expect(
      uncoveredRules(
        resources.map((resource) => held(groups as string[], [resource], verbs as string[])),
        [cube],
      ),
    ).toMatchObject({ rules: [], truncated: false }));
  it("that lacks one combination names it", () => {
    const others = resources.slice(1) as string[];
    const rules = [
      held(groups as string[], others, verbs as string[]),
      held(groups as string[], ["r0"], verbs.slice(1) as string[]),
      held(groups.slice(1) as string[], ["r0"], ["v0"]),
    ];
    expect(uncoveredRules(rules, [cube])).toMatchObject({
      rules: [{ apiGroups: ["g0"], resources: ["r0"], verbs: ["v0"] }],
      truncated: false,
    });
  });
  it("reports some of what is missing, and that there is more", () => {
    const { rules, truncated } = uncoveredRules([], [cube]);
    expect({ pieces: rules.length, truncated }).toEqual({ pieces: 10_000, truncated: true });
  });
  it("repeats a long name only as often as a message has room for it", () => {
    const long = { ...cube, resources: ["r".repeat(500_000)] };
    expect(uncoveredRules([], [long]).rules).toHaveLength(2);
  });
  it("that meets more sets of held rules than can be compared counts as not covered", () => {
    const size = 120;
    const without = (prefix: string, at: number, step: number): string[] =>
      list(prefix, size).filter((_, each) => (each * step) % size !== at);
    const sparse = Array.from({ length: size }, (_, at) =>
      held(without("g", at, 1), without("r", at, 7), without("v", at, 11)),
    );
    const wanted = { apiGroups: list("g", size), resources: list("r", size), verbs: list("v", size) };
    const { rules, truncated } = uncoveredRules(sparse, [wanted]);
    expect({ pieces: rules.length, truncated }).toEqual({ pieces: 0, truncated: true });
  });
});
