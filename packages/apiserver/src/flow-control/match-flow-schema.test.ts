import type { PolicyRulesWithSubjects, Subject } from "@coxswain/api/flowcontrol/v1";
import { describe, expect, it } from "vitest";
import { matchesFlowSchema, type RequestDigest } from "./match-flow-schema.js";

const everyone: Subject = { kind: "Group", group: { name: "*" } };
const user = (name: string): Subject => ({ kind: "User", user: { name } });
const group = (name: string): Subject => ({ kind: "Group", group: { name } });
const account = (namespace: string, name: string): Subject => ({
  kind: "ServiceAccount",
  serviceAccount: { namespace, name },
});
const resources = (over: object = {}, subject = everyone): PolicyRulesWithSubjects => ({
  subjects: [subject],
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"], ...over }],
});
const paths = (...nonResourceURLs: string[]): PolicyRulesWithSubjects => ({
  subjects: [everyone],
  nonResourceRules: [{ verbs: ["get"], nonResourceURLs }],
});
const get = (over: object = {}, name = "u", groups: string[] = []): RequestDigest => ({
  user: { name, groups },
  info: {
    isResource: true,
    verb: "get",
    group: "",
    resource: "pods",
    subresource: "",
    namespace: "default",
    path: "/api/v1/namespaces/default/pods/x",
    ...over,
  },
});
const path = (text: string, verb = "get"): RequestDigest => ({
  user: { name: "u", groups: [] },
  info: { isResource: false, verb, group: "", resource: "", subresource: "", namespace: "", path: text },
});

const cases: [title: string, rule: PolicyRulesWithSubjects, digest: RequestDigest, want: boolean][] = [
  ["everything", resources(), get(), true],
  ["a user by name", resources({}, user("u")), get(), true],
  ["another user", resources({}, user("v")), get(), false],
  ["any user", resources({}, user("*")), get(), true],
  ["a group", resources({}, group("g")), get({}, "u", ["f", "g"]), true],
  ["another group", resources({}, group("h")), get({}, "u", ["f", "g"]), false],
  ["a service account", resources({}, account("ns", "sa")), get({}, "system:serviceaccount:ns:sa"), true],
  [
    "any service account of a namespace",
    resources({}, account("ns", "*")),
    get({}, "system:serviceaccount:ns:other"),
    true,
  ],
  [
    "a namespace that only begins alike",
    resources({}, account("ns", "*")),
    get({}, "system:serviceaccount:ns2:other"),
    false,
  ],
  ["another verb", resources({ verbs: ["list"] }), get(), false],
  ["a resource", resources({ resources: ["pods"] }), get(), true],
  ["its subresource is another resource", resources({ resources: ["pods"] }), get({ subresource: "status" }), false],
  ["a subresource", resources({ resources: ["pods/status"] }), get({ subresource: "status" }), true],
  ["another group of resources", resources({ apiGroups: ["apps"] }), get(), false],
  ["no cluster scope", resources({ clusterScope: false }), get({ namespace: "" }), false],
  ["cluster scope only", resources({ namespaces: [] }), get(), false],
  ["a namespace", resources({ namespaces: ["default"] }), get(), true],
  ["a resource rule is not for paths", resources(), path("/healthz"), false],
  ["a path", paths("/healthz"), path("/healthz"), true],
  ["what stands below a path", paths("/healthz"), path("/healthz/etcd"), true],
  ["a path that only begins alike", paths("/healthz"), path("/healthzz"), false],
  ["a path with a star", paths("/debug/*"), path("/debug/pprof/heap"), true],
  ["any path", paths("*"), path("/x"), true],
  ["another method", paths("*"), path("/x", "post"), false],
  ["a path rule is not for resources", paths("*"), get(), false],
];

describe("which requests a FlowSchema is for", () => {
  for (const [title, rule, digest, want] of cases)
    it(`${title}: ${want ? "yes" : "no"}`, () =>
      expect(matchesFlowSchema(digest, { priorityLevelConfiguration: { name: "x" }, rules: [rule] })).toBe(want));
});
