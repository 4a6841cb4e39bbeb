import type { AnyKind } from "@coxswain/kinds";
import type { CacheFeed } from "../cache/cache-feed.js";
import type { UserInfo } from "../request/user-info.js";
import type { WriteScope } from "./write-scope.js";

/** Whom the server acts as in its own requests and writes. */
export const serverUser: UserInfo = { name: "system:apiserver", groups: ["system:masters"] };

/**
 * Constants name built-in kinds by Kubernetes' tables (`storedKind`), while a server may keep them by others: what it writes must
 * not lose the members that only those have.
 */
export function inOwnTypes<S extends { readonly kind: AnyKind }>(feed: Pick<CacheFeed, "findCache">, scope: S): S {
  const { kind } = scope;
  const kept = kind.withTypes && feed.findCache(kind)?.kind;
  return kept && kept.version === kind.version && kept.types !== kind.types ? { ...scope, kind: kept } : scope;
}

/** What the server writes on its own account. */
export const serverScope = (
  kind: AnyKind,
  { namespace = "", name = "", view = "" }: { namespace?: string; name?: string; view?: string } = {},
): WriteScope => ({
  kind,
  view,
  namespace,
  name,
  user: serverUser,
  verb: "bootstrap",
  manager: "kube-apiserver",
  dryRun: false,
  warn: () => {},
  annotate: () => {},
});
