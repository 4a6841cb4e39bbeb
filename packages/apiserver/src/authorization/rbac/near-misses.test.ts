import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from "@coxswain/api/rbac/v1";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import type { Lister } from "../../cache/lister.js";
import type { Attributes } from "../attributes.js";
import { type NearMiss, nearMisses } from "./near-misses.js";
import { createRbacAuthorizer } from "./rbac-authorizer.js";
import type { RbacListers } from "./rule-resolver.js";

type Objects<T> = Map<string, T>;
interface Setting {
  readonly roles: Objects<Role>;
  readonly clusterRoles: Objects<ClusterRole>;
  readonly roleBindings: Objects<RoleBinding>;
  readonly clusterRoleBindings: Objects<ClusterRoleBinding>;
}

function listerOf<T>(objects: Objects<T>): Lister<T> {
  const state = {};
  return {
    get: (key) => objects.get(key),
    list: (prefix) => [...objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object),
    state: () => state,
  };
}
/** Made anew for each look: what was computed from them holds as long as the lister's state is the same. */
const listersOf = ({ roles, clusterRoles, roleBindings, clusterRoleBindings }: Setting): RbacListers => ({
  roles: listerOf(roles),
  clusterRoles: listerOf(clusterRoles),
  roleBindings: listerOf(roleBindings),
  clusterRoleBindings: listerOf(clusterRoleBindings),
});

const isAllowed = (setting: Setting, asked: Attributes): boolean =>
  (createRbacAuthorizer(listersOf(setting))(asked) as { decision: string }).decision === "allow";

const namespaces = ["shop", "dev"];

function generate(seed: number): { setting: Setting; asked: Attributes } {
  const random = createSeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[randomInt(list.length, random)]!;
  const some = (list: readonly string[]): string[] => list.filter(() => random.next() < 0.4);
  const rule = (): PolicyRule => ({
    apiGroups: pick([[""], ["apps"], ["", "apps"], ["*"]]),
    resources: some(["pods", "pods/log", "deployments", "secrets"]),
    verbs: random.next() < 0.1 ? ["*"] : some(["get", "list", "watch", "delete"]),
    ...(random.next() < 0.2 && { resourceNames: ["one"] }),
  });
  const rules = (): PolicyRule[] => Array.from({ length: 1 + randomInt(2, random) }, rule);
  const setting: Setting = {
    roles: new Map(),
    clusterRoles: new Map(),
    roleBindings: new Map(),
    clusterRoleBindings: new Map(),
  };
  for (const name of ["r1", "r2"]) {
    if (random.next() < 0.8)
      setting.clusterRoles.set(`/registry/clusterroles/${name}`, { metadata: { name }, rules: rules() });
    for (const namespace of namespaces)
      if (random.next() < 0.7)
        setting.roles.set(`/registry/roles/${namespace}/${name}`, { metadata: { namespace, name }, rules: rules() });
  }
  const subject = (): Subject =>
    pick<Subject>([
      { kind: "User", name: "ann" },
      { kind: "Group", name: "devs" },
      { kind: "User", name: "bob" },
      { kind: "ServiceAccount", namespace: "shop", name: "ci" },
    ]);
  const apiGroup = "rbac.authorization.k8s.io";
  for (let at = 0; at < 4; at++) {
    const name = `b${at}`;
    const namespace = pick(namespaces);
    const roleRef = { apiGroup, kind: pick(["Role", "ClusterRole"]), name: pick(["r1", "r2", "r3"]) };
    const subjects = [subject()];
    if (random.next() < 0.3)
      setting.clusterRoleBindings.set(`/registry/clusterrolebindings/${name}`, {
        metadata: { name },
        roleRef: { ...roleRef, kind: "ClusterRole" },
        subjects,
      });
    else
      setting.roleBindings.set(`/registry/rolebindings/${namespace}/${name}`, {
        metadata: { namespace, name },
        roleRef,
        subjects,
      });
  }
  const [resource = "", subresource = ""] = pick(["pods", "pods/log", "deployments", "secrets"]).split("/");
  const asked: Attributes = {
    user: pick([
      { name: "ann", groups: ["devs"] },
      { name: "system:serviceaccount:shop:ci", groups: [] },
    ]),
    verb: pick(["get", "list", "watch", "delete"]),
    isResource: true,
    path: "",
    namespace: pick(["shop", "shop", ""]),
    group: resource === "deployments" ? "apps" : "",
    version: "v1",
    resource,
    subresource,
    name: pick(["", "one", "two"]),
  };
  return { setting, asked };
}

/** The setting with what an explanation names as missing, and nothing else. */
function added(setting: Setting, { binding, role, add }: NearMiss): Setting {
  const copy: Setting = {
    roles: new Map(setting.roles),
    clusterRoles: new Map(setting.clusterRoles),
    roleBindings: new Map(setting.roleBindings),
    clusterRoleBindings: new Map(setting.clusterRoleBindings),
  };
  const namespace = binding.namespace ?? "";
  const roleIn = (home: string): [Objects<Role | ClusterRole>, string] =>
    role.kind === "Role"
      ? [copy.roles, `/registry/roles/${home}/${role.name}`]
      : [copy.clusterRoles, `/registry/clusterroles/${role.name}`];
  const bindingIn = (home: string, name: string): [Objects<RoleBinding | ClusterRoleBinding>, string] =>
    home === ""
      ? [copy.clusterRoleBindings, `/registry/clusterrolebindings/${name}`]
      : [copy.roleBindings, `/registry/rolebindings/${home}/${name}`];
  const [bindings, bindingKey] = bindingIn(namespace, binding.name);
  const bound = bindings.get(bindingKey)!;
  if (add.rule) {
    const [roles, key] = roleIn(namespace);
    const old = roles.get(key);
    roles.set(key, {
      metadata: { name: role.name, ...(role.kind === "Role" && { namespace }) },
      rules: [...(old?.rules ?? []), add.rule as PolicyRule],
    });
  }
  if (add.subject) bindings.set(bindingKey, { ...bound, subjects: [...(bound.subjects ?? []), add.subject] });
  if (add.bindingIn !== undefined) {
    const home = add.bindingIn;
    const [others, key] = bindingIn(home, "added");
    others.set(key, { ...bound, metadata: { name: "added", ...(home !== "" && { namespace: home }) } });
    if (add.roleIn !== undefined) {
      const [roles, from] = roleIn(namespace);
      const [, to] = roleIn(add.roleIn);
      roles.set(to, { ...roles.get(from)!, metadata: { name: role.name, namespace: add.roleIn } });
    }
  }
  return copy;
}

describe("near misses of RBAC", () => {
  it("adding exactly what is missing makes the request allowed, in 300 generated settings", () => {
    const kinds = new Map<string, number>();
    for (let seed = 1; seed <= 300; seed++) {
      const { setting, asked } = generate(seed);
      if (isAllowed(setting, asked)) continue;
      for (const miss of nearMisses(listersOf(setting), asked)) {
        kinds.set(miss.lacks, (kinds.get(miss.lacks) ?? 0) + 1);
        expect(isAllowed(added(setting, miss), asked), `seed ${seed}: ${JSON.stringify(miss)}`).toBe(true);
      }
    }
    // The settings are of all kinds.
    expect([...kinds.keys()].sort()).toEqual(["namespace", "role", "rule", "subject"]);
    expect(Math.min(...kinds.values())).toBeGreaterThan(10);
  });
});
