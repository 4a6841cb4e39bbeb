import { describe, expect, it } from "vitest";
import type { Lister } from "../../cache/lister.js";
import type { Attributes } from "../attributes.js";
import { createRbacAuthorizer } from "./rbac-authorizer.js";
import type { RbacListers } from "./rule-resolver.js";

const listerOf = <T>(objects: Record<string, T>): Lister<T> => ({
  get: (key) => objects[key],
  list: (prefix) =>
    Object.entries(objects)
      .filter(([key]) => key.startsWith(prefix))
      .map(([, object]) => object),
  state: () => objects,
});

const rule = (verbs: string, resources: string, { names, groups = "" }: { names?: string; groups?: string } = {}) => ({
  verbs: verbs.split(","),
  apiGroups: groups.split(","),
  resources: resources.split(","),
  ...(names === undefined ? {} : { resourceNames: names.split(",") }),
});
const ref = (kind: string, name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });

const listers = {
  clusterRoles: listerOf({
    "/registry/clusterroles/reader": {
      rules: [
        rule("get,list", "pods,pods/log"),
        rule("get", "*/scale", { groups: "apps" }),
        rule("get", "secrets", { names: "one" }),
      ],
    },
    "/registry/clusterroles/prober": { rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/logs/*"] }] },
  }),
  clusterRoleBindings: listerOf({
    "/registry/clusterrolebindings/broken": {
      metadata: { name: "broken" },
      roleRef: ref("ClusterRole", "gone"),
      subjects: [{ kind: "User", name: "lost" }],
    },
    "/registry/clusterrolebindings/readers": {
      metadata: { name: "readers" },
      roleRef: ref("ClusterRole", "reader"),
      subjects: [
        { kind: "User", name: "jane" },
        { kind: "Group", name: "dev" },
      ],
    },
    "/registry/clusterrolebindings/probers": {
      metadata: { name: "probers" },
      roleRef: ref("ClusterRole", "prober"),
      subjects: [{ kind: "Group", name: "system:authenticated" }],
    },
  }),
  roles: listerOf({ "/registry/roles/shop/editor": { rules: [rule("*", "configmaps")] } }),
  roleBindings: listerOf({
    "/registry/rolebindings/shop/editors": {
      metadata: { name: "editors", namespace: "shop" },
      roleRef: ref("Role", "editor"),
      subjects: [{ kind: "ServiceAccount", name: "bot" }],
    },
  }),
} as unknown as RbacListers;

/** "who verb resource[/sub][.group][:name][@namespace]", or a path. */
function asked(question: string): Attributes {
  const [who = "", verb = "", what = ""] = question.split(" ");
  const [name, ...groups] = who.split("+");
  const base = {
    user: { name: name ?? "", groups },
    verb,
    version: "v1",
    isResource: !what.startsWith("/"),
    path: what,
    namespace: "",
    group: "",
    resource: "",
    subresource: "",
    name: "",
  };
  if (!base.isResource) return base;
  const match = /^([a-z]+)(?:\/([a-z]+))?(?:\.([a-z]+))?(?::([a-z]+))?(?:@([a-z]+))?$/.exec(what);
  return {
    ...base,
    resource: match?.[1] ?? "",
    subresource: match?.[2] ?? "",
    group: match?.[3] ?? "",
    name: match?.[4] ?? "",
    namespace: match?.[5] ?? "",
  };
}

describe("RBAC", () => {
  const byReaders = (subject: string): string =>
    `RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to ${subject}`;
  const cases: [question: string, decision: string, reason: string][] = [
    ["jane get pods@shop", "allow", byReaders('User "jane"')],
    ["joe+dev list pods", "allow", byReaders('Group "dev"')],
    ["jane get pods/log@shop", "allow", byReaders('User "jane"')],
    ["jane get pods/exec@shop", "no opinion", ""],
    ["jane get deployments/scale.apps@shop", "allow", byReaders('User "jane"')],
    ["jane get deployments.apps@shop", "no opinion", ""],
    ["jane get secrets:one@shop", "allow", byReaders('User "jane"')],
    ["jane get secrets:two@shop", "no opinion", ""],
    ["jane list secrets@shop", "no opinion", ""],
    ["jane delete pods@shop", "no opinion", ""],
    ["joe get pods", "no opinion", ""],
    [
      "system:serviceaccount:shop:bot delete configmaps@shop",
      "allow",
      'RBAC: allowed by RoleBinding "editors/shop" of Role "editor" to ServiceAccount "bot/shop"',
    ],
    ["system:serviceaccount:shop:bot delete configmaps@other", "no opinion", ""],
    ["system:serviceaccount:shop:bot delete configmaps", "no opinion", ""],
    [
      "joe+system:authenticated get /healthz",
      "allow",
      'RBAC: allowed by ClusterRoleBinding "probers" of ClusterRole "prober" to Group "system:authenticated"',
    ],
    [
      "joe+system:authenticated get /logs/a/b",
      "allow",
      'RBAC: allowed by ClusterRoleBinding "probers" of ClusterRole "prober" to Group "system:authenticated"',
    ],
    ["joe+system:authenticated post /healthz", "no opinion", ""],
    ["lost get pods", "no opinion", 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found'],
  ];
  const authorizer = createRbacAuthorizer(listers);
  for (const [question, decision, reason] of cases)
    it(`${question}: ${decision}`, () => expect(authorizer(asked(question))).toEqual({ decision, reason }));
});
