import type { Aggregation } from "../../aggregation/create-aggregation.js";
import type { Audit } from "../../audit/create-audit.js";
import type { Authentication } from "../../authentication/create-authentication.js";
import { firstOf } from "../../endpoints/paths/path-source.js";
import { createRouter } from "../../endpoints/router.js";
import { defaultFilters } from "../../filters/default-filters.js";
import type { RegistryDeps } from "../../registry/contract/registry-deps.js";
import { connectHandler } from "../../registry/handlers/connect-handlers.js";
import { specialHandler } from "../../registry/handlers/special-handlers.js";
import { createOpenIdPaths, openIdPaths } from "../../registry/service-accounts/openid-paths.js";
import { chain } from "../../request/filter.js";
import { createRequestServer, type RequestServer } from "../requests/serve-requests.js";
import type { ApiServerOptions } from "./api-server-options.js";
import { createFairness } from "./create-fairness.js";
import type { ServerCore } from "./server-core.js";
import { createServerPaths } from "./server-paths.js";

export interface RequestParts {
  readonly audit: Audit;
  readonly authentication: Authentication;
  readonly registry: RegistryDeps;
  readonly aggregation: Aggregation;
}

export interface BuiltRequests {
  readonly requests: RequestServer;
  stop(): void;
}

/** The way of a request: the filters around the router. */
export function buildRequests(
  core: ServerCore,
  options: ApiServerOptions,
  { audit, authentication, registry, aggregation }: RequestParts,
): BuiltRequests {
  const { runtime, catalogue, types, observability, gates, feed } = core;
  const { ioClock } = runtime;
  const fairness = createFairness(options.limits ?? {}, { feed, gates, runtime }, observability.filters.inFlight);
  const serverAddress = options.serverAddress ?? (() => "127.0.0.1:6443");
  const { jwksUri } = options.authentication?.serviceAccount ?? {};
  const router = createRouter({
    deps: registry,
    catalogue,
    handlers: { connect: connectHandler, special: specialHandler },
    paths: firstOf(
      createOpenIdPaths(authentication.tokens, { serverAddress, jwksUri }),
      createServerPaths({
        catalogue,
        types,
        aggregation,
        observability,
        listed: openIdPaths,
        now: () => ioClock.now(),
        serverAddress,
      }),
      fairness.pages,
    ),
  });
  const filters = defaultFilters({
    runtime,
    ...observability.filters,
    fairness: fairness.limits,
    audit: audit.filters,
    timesWrites: registry.recentRequests !== undefined,
    authentication,
    authorizer: registry.authorizer,
    gates,
  });
  const { requests, stalls } = observability;
  return {
    requests: createRequestServer({
      handle: chain([...filters, ...(options.filters ?? [])], router),
      runtime,
      requests,
      stalls,
      recent: registry.recentRequests,
    }),
    stop: () => fairness.stop(),
  };
}
