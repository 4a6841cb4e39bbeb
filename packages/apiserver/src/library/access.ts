import type { AuthenticationDeps } from "../authentication/authentication-options.js";
import { type Authentication, createAuthentication } from "../authentication/create-authentication.js";
import { type Authorizer, allowed, noOpinion, union } from "../authorization/attributes.js";
import { privilegedGroup } from "../authorization/modes.js";
import type { OwnServerOptions } from "./library-options.js";

/** Probes bring no credentials (k8s.io/apiserver/pkg/server/options/authorization.go, AlwaysAllowPaths). */
const forEverybody = new Set(["/healthz", "/livez", "/readyz"]);

const health: Authorizer = ({ isResource, path }) => (!isResource && forEverybody.has(path) ? allowed() : noOpinion());

/**
 * Who asks, and whether they may. A server of one's own keeps no service accounts and no secrets, so it knows none of their tokens; without
 * an authority of client certificates none of those count, whatever TLS found of them.
 */
export function createAccess(
  { authentication = {}, authorizer }: Pick<OwnServerOptions, "authentication" | "authorizer">,
  deps: Pick<AuthenticationDeps, "runtime" | "certificates">,
): { readonly authentication: Authentication; readonly authorizer: Authorizer } {
  return {
    authentication: createAuthentication(
      { audiences: [], clientCa: "", ...authentication },
      {
        ...deps,
        hostname: "localhost",
        find: () => undefined,
        noteUse: async () => {},
      },
    ),
    authorizer: union(privilegedGroup, health, ...(authorizer ? [authorizer] : [])),
  };
}
