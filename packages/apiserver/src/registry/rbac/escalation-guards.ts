import type { Authorizer } from "../../authorization/attributes.js";
import { rbacListers } from "../../authorization/create-authorizer.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { WriteAuthorization } from "../../objects/write-authorization.js";
import { createEscalationGuard } from "./escalation-guard.js";

const guarded = ["roles", "clusterroles", "rolebindings", "clusterrolebindings"] as const;

/** The guards of the four RBAC kinds, by storage prefix. */
export function createEscalationGuards(
  feed: CacheFeed,
  authorizer: Authorizer,
): ReadonlyMap<string, WriteAuthorization> {
  const deps = { authorizer, listers: rbacListers(feed) };
  return new Map(
    guarded.map((resource) => [
      storedKind("rbac.authorization.k8s.io", resource).storagePrefix,
      createEscalationGuard(resource, deps),
    ]),
  );
}
