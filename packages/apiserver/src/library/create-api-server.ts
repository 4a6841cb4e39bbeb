import type { MetricsRegistry } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createAudit } from "../audit/create-audit.js";
import type { Authentication } from "../authentication/create-authentication.js";
import { startBookmarks } from "../cache/bookmarks.js";
import type { Catalogue } from "../catalogue/catalogue.js";
import type { RequestServer } from "../server/requests/serve-requests.js";
import { createCertificateMetrics } from "../webhook/certificate-metrics.js";
import { createAccess } from "./access.js";
import { ownHandlerDeps } from "./handler-deps.js";
import type { OwnServerOptions } from "./library-options.js";
import { openOwnCore } from "./open-core.js";
import { ownRequests } from "./own-requests.js";

/** A server of one's own without a socket: requests go in as values, answers come out as values or as bytes. `listen` puts one in front. */
export interface OwnApiServer extends Pick<RequestServer, "answer" | "serve"> {
  /** From here on `/readyz` fails; everything else goes on. */
  beginShutdown(): void;
  /** From the next request on, certificates of these authorities count. */
  setAuthorities: Authentication["setAuthorities"];
  /** Ends watches, waits for the requests under way, and leaves the store to its opener. `closeSockets` is called when no request is left. */
  stop(options?: { closeSockets?: () => Promise<void> }): Promise<void>;
  /** What is served. */
  readonly catalogue: Catalogue;
  /** What it counts; more may be added. */
  readonly metrics: MetricsRegistry;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
}

/**
 * Serves kinds of one's own, and nothing else: create, read, list, watch, update, all patches, server-side apply, dry run, tables,
 * field selectors, discovery and OpenAPI. Built-in kinds are not loaded.
 * Rejects with what is wrong with a kind, or when the store cannot be read.
 */
export async function createApiServer(options: OwnServerOptions): Promise<OwnApiServer> {
  const core = await openOwnCore(options, options.runtime ?? systemRuntime());
  const { runtime, feed, observability, catalogue } = core;
  const certificates = createCertificateMetrics(observability.metrics);
  const audit = createAudit(options.audit, { runtime, certificates });
  const { authentication, authorizer } = createAccess(options, { runtime, certificates });
  const deps = ownHandlerDeps(core, options, authorizer);
  const requests = ownRequests(core, options, { deps, audit, authentication });
  const bookmarks = startBookmarks(feed, runtime.clock);
  return {
    answer: (request) => requests.answer(request),
    serve: (request, sink) => requests.serve(request, sink),
    beginShutdown: () => observability.lifecycle.beginShutdown(),
    setAuthorities: (authorities) => authentication.setAuthorities(authorities),
    catalogue,
    metrics: observability.metrics,
    failed: core.failed,
    async stop({ closeSockets } = {}) {
      observability.lifecycle.beginShutdown();
      bookmarks.stop();
      await feed.stop();
      deps.stop();
      requests.cut();
      await requests.disconnected();
      authentication.stop();
      observability.stalls.stop();
      await closeSockets?.();
      await requests.disconnected();
      await audit.stop();
    },
  };
}
