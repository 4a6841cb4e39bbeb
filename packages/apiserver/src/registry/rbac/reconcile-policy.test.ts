import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { planReconcile } from "./reconcile-policy.js";

const role = (
  members: object,
  annotations: Record<string, string> = { "rbac.authorization.kubernetes.io/autoupdate": "true" },
): KubernetesObject => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "r", annotations },
  ...members,
});
const binding = (name: string, ...subjects: string[]): KubernetesObject =>
  ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "b" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: subjects.map((each) => ({ kind: "Group", name: each })),
  }) as KubernetesObject;
const get = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const list = { verbs: ["list"], apiGroups: [""], resources: ["pods"] };
const selector = (label: string) => ({ matchLabels: { [label]: "true" } });

describe("the bootstrap policy at a restart", () => {
  const cases: { name: string; existing: KubernetesObject; expected: KubernetesObject; want: object }[] = [
    {
      name: "nothing where nothing is missing",
      existing: role({ rules: [get, list] }),
      expected: role({ rules: [get] }),
      want: { do: "nothing" },
    },
    {
      name: "adds a rule, and keeps what others added",
      existing: role({ rules: [list] }),
      expected: role({ rules: [get] }),
      want: { do: "update", object: { rules: [list, get] } },
    },
    {
      name: "leaves an object alone whose annotation is false",
      existing: role({ rules: [] }, { "rbac.authorization.kubernetes.io/autoupdate": "false" }),
      expected: role({ rules: [get] }),
      want: { do: "nothing" },
    },
    {
      name: "adds labels and annotations, others' first",
      existing: role({ rules: [get] }, { mine: "1" }),
      expected: role({ rules: [get] }),
      want: {
        do: "update",
        object: { metadata: { annotations: { mine: "1", "rbac.authorization.kubernetes.io/autoupdate": "true" } } },
      },
    },
    {
      name: "adds a selector",
      existing: role({ aggregationRule: { clusterRoleSelectors: [selector("x")] }, rules: [get] }),
      expected: role({ aggregationRule: { clusterRoleSelectors: [selector("y")] } }),
      want: {
        do: "update",
        object: { aggregationRule: { clusterRoleSelectors: [selector("x"), selector("y")] }, rules: [get] },
      },
    },
    {
      name: "adds a subject",
      existing: binding("r", "a"),
      expected: binding("r", "b"),
      want: { do: "update", object: { subjects: [{ name: "a" }, { name: "b" }] } },
    },
    {
      name: "makes a binding to another role anew",
      existing: binding("other", "a"),
      expected: binding("r", "a"),
      want: { do: "recreate" },
    },
  ];
  for (const { name, existing, expected, want } of cases)
    it(name, () => expect(planReconcile(existing, expected)).toMatchObject(want));
});
