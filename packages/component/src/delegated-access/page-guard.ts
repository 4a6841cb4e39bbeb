import type { Clock } from "@coxswain/runtime/clock";
import type { Page, PageGuard } from "../endpoint/page.js";
import { type AccessUser, createDelegatedAccess } from "./delegated-access.js";
import type { AuthenticationReviews, AuthorizationReviews } from "./reviews.js";

export interface PageGuardOptions {
  /** Reviews tokens. Undefined: tokens are refused. */
  readonly authentication: AuthenticationReviews | undefined;
  /** Decides. Undefined: only `alwaysAllow` and members of system:masters pass. */
  readonly authorization: AuthorizationReviews | undefined;
  /** Paths for everybody; one that ends in * covers what begins so. */
  readonly alwaysAllow: readonly string[];
  readonly clock: Clock;
}

/** As k8s.io/apiserver/pkg/server/options/authentication.go and authorization.go: ten seconds each. */
const remembered = { tokensMs: 10_000, allowedMs: 10_000, deniedMs: 10_000 };

/** Who sees the pages of a component's own port. */
export function createPageGuard({ alwaysAllow, ...options }: PageGuardOptions): PageGuard {
  const access = createDelegatedAccess({
    ...options,
    acceptsAnonymous: true,
    alwaysAllowGroups: ["system:masters"],
    remembered,
  });
  return async ({ path, method, certificate, headers }) => {
    if (alwaysAllow.some((rule) => (rule.endsWith("*") ? path.startsWith(rule.slice(0, -1)) : path === rule)))
      return undefined;
    const user = await access.authenticate({ certificate, authorization: headers["authorization"] });
    if (!user) return { status: 401, body: "Unauthorized\n" };
    const verb = method.toLowerCase();
    return (await access.authorize(user, { kind: "path", verb, path })) ? undefined : forbidden(user, verb, path);
  };
}

const forbidden = (user: AccessUser, verb: string, path: string): Page => ({
  status: 403,
  contentType: "application/json",
  body: JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `forbidden: User ${JSON.stringify(user.username)} cannot ${verb} path ${JSON.stringify(path)}`,
    reason: "Forbidden",
    details: {},
    code: 403,
  }),
});
