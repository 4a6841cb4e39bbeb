import { builtInTypes } from "@coxswain/api/tables";
import type { Audit } from "../audit/create-audit.js";
import type { Authentication } from "../authentication/create-authentication.js";
import type { HandlerDeps } from "../endpoints/handler-deps.js";
import { createRouter } from "../endpoints/router.js";
import { defaultFilters } from "../filters/default-filters.js";
import { chain } from "../request/filter.js";
import { createServerPaths } from "../server/compose/server-paths.js";
import { createRequestServer, type RequestServer } from "../server/requests/serve-requests.js";
import type { OwnServerOptions } from "./library-options.js";
import { noAggregation } from "./no-aggregation.js";
import type { OwnCore } from "./open-core.js";
import { ownHandlers } from "./own-handlers.js";

export interface OwnRequestParts {
  readonly deps: HandlerDeps;
  readonly audit: Audit;
  readonly authentication: Authentication;
}

/** The way of a request: the filters around the router. */
export function ownRequests(core: OwnCore, options: OwnServerOptions, parts: OwnRequestParts): RequestServer {
  const { runtime, catalogue, observability, gates } = core;
  const { deps, audit, authentication } = parts;
  const router = createRouter({
    deps,
    catalogue,
    handlers: ownHandlers(options.groups),
    paths: createServerPaths({
      catalogue,
      types: builtInTypes,
      aggregation: noAggregation,
      observability,
      listed: [],
      now: () => runtime.ioClock.now(),
      serverAddress: options.serverAddress ?? (() => "127.0.0.1:443"),
    }),
  });
  const filters = defaultFilters({
    runtime,
    ...observability.filters,
    fairness: undefined,
    audit: audit.filters,
    timesWrites: false,
    authentication,
    authorizer: deps.authorizer,
    gates,
  });
  const { requests, stalls } = observability;
  return createRequestServer({
    handle: chain([...filters, ...(options.filters ?? [])], router),
    runtime,
    requests,
    stalls,
  });
}
