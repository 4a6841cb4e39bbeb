import { describe, expect, it } from "vitest";
import type { Attributes } from "../authorization/attributes.js";
import { createRuler, type PolicyRule } from "./policy.js";
import { readPolicy } from "./read-policy.js";

const get: Attributes = {
  user: { name: "ann", groups: ["devs", "system:authenticated"] },
  verb: "get",
  isResource: true,
  path: "/api/v1/namespaces/a/pods/p",
  namespace: "a",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  name: "p",
};
const logs = { ...get, subresource: "log" };
const healthz: Attributes = {
  ...get,
  isResource: false,
  path: "/healthz/etcd",
  namespace: "",
  resource: "",
  name: "",
  version: "",
};

const matched: readonly (readonly [
  title: string,
  rule: Omit<PolicyRule, "level">,
  question: Attributes,
  matches: boolean,
])[] = [
  ["no condition: everything", {}, get, true],
  ["a user", { users: ["ann"] }, get, true],
  ["another user", { users: ["bob"] }, get, false],
  ["one of the groups", { userGroups: ["ops", "devs"] }, get, true],
  ["another group", { userGroups: ["ops"] }, get, false],
  ["a verb", { verbs: ["get"] }, get, true],
  ["another verb", { verbs: ["list"] }, get, false],
  ["a namespace", { namespaces: ["a"] }, get, true],
  ["no namespace", { namespaces: [""] }, get, false],
  ["a path is in no namespace", { namespaces: [""] }, healthz, false],
  ["a group of resources", { resources: [{ group: "" }] }, get, true],
  ["another group of resources", { resources: [{ group: "apps" }] }, get, false],
  ["any group", { resources: [{ group: "*", resources: ["pods"] }] }, get, true],
  ["a resource is not its subresources", { resources: [{ resources: ["pods"] }] }, logs, false],
  ["a subresource", { resources: [{ resources: ["pods/log"] }] }, logs, true],
  ["all subresources of a resource, and itself", { resources: [{ resources: ["pods/*"] }] }, get, true],
  ["a subresource of all resources", { resources: [{ resources: ["*/log"] }] }, logs, true],
  ["every resource", { resources: [{ resources: ["*"] }] }, logs, true],
  ["a name", { resources: [{ resources: ["pods"], resourceNames: ["p"] }] }, get, true],
  ["another name", { resources: [{ resources: ["pods"], resourceNames: ["q"] }] }, get, false],
  ["a path and what is below it", { nonResourceURLs: ["/healthz*"] }, healthz, true],
  ["another path", { nonResourceURLs: ["/healthz"] }, healthz, false],
  ["a resource is no path", { nonResourceURLs: ["*"] }, get, false],
];

describe("an audit rule", () => {
  it.each(matched)("%s", (_, rule, question, matches) =>
    expect(createRuler({ rules: [{ level: "Request", ...rule }] })(question).level).toBe(matches ? "Request" : "None"),
  );
  it("before another wins", () =>
    expect(createRuler({ rules: [{ level: "Metadata" }, { level: "Request" }] })(get).level).toBe("Metadata"));
  it("omits stages beside those of the policy", () =>
    expect([
      ...createRuler({ omitStages: ["Panic"], rules: [{ level: "Metadata", omitStages: ["RequestReceived"] }] })(get)
        .omitStages,
    ]).toEqual(["Panic", "RequestReceived"]));
  it("decides about managed fields for itself", () =>
    expect(
      createRuler({ omitManagedFields: true, rules: [{ level: "Metadata", omitManagedFields: false }] })(get)
        .omitManagedFields,
    ).toBe(false));
});

const file = (rules: string, head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n"): string =>
  `${head}rules: ${rules}\n`;

/** Messages of kube-apiserver 1.36. */
const refused: readonly (readonly [title: string, text: string, message: string])[] = [
  ["no rules", file("[]"), "loaded illegal policy with 0 rules"],
  ["no level", file("[{}]"), "rules[0].level: Required value"],
  [
    "an unknown level",
    file("[{ level: All }]"),
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    "an unknown stage",
    file("[{ level: None, omitStages: [Soon] }]"),
    'rules[0].omitStages[0]: Invalid value: "Soon": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  [
    "a path without a slash",
    file("[{ level: None, nonResourceURLs: [healthz] }]"),
    `rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a '/' character`,
  ],
  [
    "a star in the middle",
    file('[{ level: None, nonResourceURLs: ["/a*b"] }]'),
    `rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
  ],
  [
    "paths and namespaces",
    file("[{ level: None, nonResourceURLs: [/a], namespaces: [a] }]"),
    'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    "names of no resource",
    file("[{ level: None, resources: [{ resourceNames: [a] }] }]"),
    'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
  ],
  ["another kind", file("[]", "kind: Pod\n"), "failed decoding: Object 'apiVersion' is missing in"],
  [
    "a number for a name",
    file("[{ level: None, users: [1] }]"),
    "failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.users of type string",
  ],
];

describe("an audit policy file", () => {
  it("that makes sense is taken", () =>
    expect(readPolicy(file("[{ level: Metadata, verbs: [get] }]"), () => {}).rules).toEqual([
      { level: "Metadata", verbs: ["get"] },
    ]));
  it("with members that mean nothing is taken with a warning", () => {
    const warnings: string[] = [];
    readPolicy(file("[{ level: Metadata, verb: [get] }]"), (text) => warnings.push(text));
    expect(warnings).toEqual([
      'Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "rules[0].verb"',
    ]);
  });
  it.each(refused)("%s: refused", (_, text, message) => expect(() => readPolicy(text, () => {})).toThrow(message));
});
