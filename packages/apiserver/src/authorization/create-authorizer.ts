import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, PolicyRule } from "@coxswain/api/rbac/v1";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister, type Lister } from "../cache/lister.js";
import { storedKind } from "../catalogue/stored-kind.js";
import type { Authorizer } from "./attributes.js";
import { type AuthorizationMode, alwaysAllow, alwaysDeny } from "./modes.js";
import { createGraphFeed } from "./node/graph-feed.js";
import type { MeasureGraph } from "./node/graph-metrics.js";
import { createNodeAuthorizer } from "./node/node-authorizer.js";
import { bootstrapPolicy } from "./rbac/gen/bootstrap-policy.js";
import { createRbacAuthorizer } from "./rbac/rbac-authorizer.js";
import type { RbacListers } from "./rbac/rule-resolver.js";

export interface AuthorizerDeps {
  readonly feed: CacheFeed;
  readonly gates: { enabled(gate: string): boolean };
  readonly measureGraph: MeasureGraph;
}

/** The authorizer of a mode that needs no configuration. */
export function createModeAuthorizer(
  mode: AuthorizationMode,
  { feed, gates, measureGraph }: AuthorizerDeps,
): Authorizer {
  switch (mode) {
    case "Node":
      return createNodeAuthorizer({ graph: createGraphFeed(feed, measureGraph), rules: nodeRules(), gates });
    case "AlwaysAllow":
      return alwaysAllow;
    case "AlwaysDeny":
      return alwaysDeny;
    case "RBAC":
      return createRbacAuthorizer(rbacListers(feed));
  }
}

/** The role system:node of the bootstrap policy is bound to nobody: these are its rules. */
function nodeRules(): readonly DeepReadonly<PolicyRule>[] {
  const role = bootstrapPolicy.find(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === "system:node");
  return (role as DeepReadonly<ClusterRole> | undefined)?.rules ?? [];
}

export const rbacListers = (feed: CacheFeed): RbacListers => ({
  roles: rbacLister(feed, "roles"),
  roleBindings: rbacLister(feed, "rolebindings"),
  clusterRoles: rbacLister(feed, "clusterroles"),
  clusterRoleBindings: rbacLister(feed, "clusterrolebindings"),
});

const rbacLister = <T>(feed: CacheFeed, resource: string): Lister<T> =>
  createLister(feed.cacheOf(storedKind("rbac.authorization.k8s.io", resource)), "leave out");
