import { builtInKinds } from "@coxswain/kinds";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister, type Lister } from "../cache/lister.js";
import { type Authorizer, union } from "./attributes.js";
import { alwaysAllow, alwaysDeny, type AuthorizationMode, privilegedGroup } from "./modes.js";
import { createRbacAuthorizer } from "./rbac/rbac-authorizer.js";
import type { RbacListers } from "./rbac/rule-resolver.js";

/** The configured modes in their order, behind system:masters. */
export function createAuthorizer(modes: readonly AuthorizationMode[], feed: CacheFeed): Authorizer {
  return union(privilegedGroup, ...modes.map((mode) => authorizerOf(mode, feed)));
}

function authorizerOf(mode: AuthorizationMode, feed: CacheFeed): Authorizer {
  switch (mode) {
    case "AlwaysAllow":
      return alwaysAllow;
    case "AlwaysDeny":
      return alwaysDeny;
    case "RBAC":
      return createRbacAuthorizer(rbacListers(feed));
  }
}

export const rbacListers = (feed: CacheFeed): RbacListers => ({
  roles: rbacLister(feed, "roles"),
  roleBindings: rbacLister(feed, "rolebindings"),
  clusterRoles: rbacLister(feed, "clusterroles"),
  clusterRoleBindings: rbacLister(feed, "clusterrolebindings"),
});

function rbacLister<T>(feed: CacheFeed, resource: string): Lister<T> {
  const kind = builtInKinds.find((each) => each.group === "rbac.authorization.k8s.io" && each.resource === resource);
  if (!kind) throw new Error(`${resource} is not served`);
  return createLister(feed.cacheOf(kind));
}
