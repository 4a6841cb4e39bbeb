import type { MetricsRegistry } from "@coxswain/component/metrics";
import type { Soon } from "@coxswain/runtime/soon";
import type { ProxyCredentials } from "../../aggregation/backend.js";
import { type Aggregation, createAggregation } from "../../aggregation/create-aggregation.js";
import type { OwnApi } from "../../aggregation/own-api.js";
import { createAudit } from "../../audit/create-audit.js";
import { type Authentication, createAuthentication } from "../../authentication/create-authentication.js";
import type { AuthorizerConfig } from "../../authorization/authorizer-config.js";
import { createAuthorization } from "../../authorization/create-authorization.js";
import { startBookmarks } from "../../cache/bookmarks.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import { kindFinder } from "../../catalogue/kind-finder.js";
import { createControllerContext } from "../../controllers/controller-context.js";
import type { InsideNetwork } from "../../network/network.js";
import type { InsideConnections } from "../../network/simulated-network.js";
import { createLazyRuleCompiler } from "../../registry/custom-resources/lazy-rule-compiler.js";
import type { ServedCustomKinds } from "../../registry/custom-resources/served-custom-kinds.js";
import { noteTokenUse } from "../../registry/service-accounts/note-token-use.js";
import { objectFinder } from "../../registry/service-accounts/object-finder.js";
import { defaultClusterIpRanges } from "../../registry/services/allocation.js";
import type { KubeletCredentials } from "../../registry/streams/create-streams.js";
import type { ApiRequest } from "../../request/request.js";
import type { ResponseSink } from "../../request/response-sink.js";
import type { AnsweredRequest } from "../requests/data-recipient.js";
import type { ApiServerOptions, ServerSnapshot } from "./api-server-options.js";
import { buildAdmission } from "./build-admission.js";
import { buildRegistry } from "./build-registry.js";
import { buildRequests } from "./build-requests.js";
import { makeOwnObjects } from "./make-own-objects.js";
import { openCore, type ServerCore } from "./server-core.js";
import { startControllers } from "./start-controllers.js";

/** The server without a socket: requests go in as values, answers come out as values or as bytes. */
export interface ApiServer {
  /** Never rejects: whatever goes wrong is an answer. */
  answer(request: ApiRequest): Promise<AnsweredRequest>;
  /** Answers and writes. Resolves when the response has ended. */
  serve(request: ApiRequest, sink: ResponseSink): Soon<void>;
  /** From here on `/readyz` fails; everything else goes on. */
  beginShutdown(): void;
  /** New requests are answered with 429. */
  refuseRequests(): void;
  /** Resolves when the requests from sockets that are under way now are answered; watches and connections to nodes and pods aside. */
  answered(): Promise<void>;
  /** From the next request on, certificates of these authorities count. */
  setAuthorities: Authentication["setAuthorities"];
  replaceIssuers: Authentication["replaceIssuers"];
  /** From now on these decide who may do what. */
  replaceAuthorizers(configs: readonly AuthorizerConfig[]): void;
  /** From now on kubelets are shown and asked for these. */
  replaceKubeletCredentials(credentials: KubeletCredentials): void;
  /** From now on these nodes and pods answer in `simulatedNetwork`. @throws Error in a server that was started without one */
  connectInside(connections: InsideConnections): void;
  /** What is inside: for those of this process who pass connections on to nodes and pods. */
  readonly network: InsideNetwork;
  /** Serves an API of this process, at a port of its own, while no APIService leads to a server that answers. @returns how to end it */
  serveOwnApi(own: OwnApi): () => void;
  /** From now on aggregated API servers are shown these. */
  replaceProxyCredentials(credentials: ProxyCredentials): void;
  /**
   * Ends watches (evenly over `watchGraceMs`, @default at once) and what else is under way, and leaves the store to its opener: who wants
   * requests answered waits for `answered` before.
   * `closeSockets` is called before the audit log ends: until then a request may arrive, and is audited.
   */
  stop(options?: { watchGraceMs?: number; closeSockets?: () => Promise<void> }): Promise<void>;
  /** What is served now. */
  readonly catalogue: Catalogue;
  /** Kinds beside the built-in ones. */
  readonly customKinds: ServedCustomKinds;
  /** What it counts; more may be added. */
  readonly metrics: MetricsRegistry;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
  /** For a server over a fork of the store that is made in the same iteration of the event loop. */
  snapshot(): ServerSnapshot;
}

/** Builds the server from the store upwards, starts what it keeps up to date, and resolves when everything that is stored is served. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const core = await openCore(options);
  const { runtime, feed, gates, observability, certificates, hostname } = core;
  const services = {
    clusterIpRanges: defaultClusterIpRanges,
    nodePorts: { first: 30_000, last: 32_767 },
    ...options.services,
  };

  const audit = createAudit(options.audit, { runtime, certificates });
  const authorization = createAuthorization(core.authorizers, { feed, gates, runtime, certificates });
  const admission = buildAdmission(core, authorization.authorizer, options.admission ?? {});
  const authentication = createAuthentication(options.authentication ?? {}, {
    runtime,
    certificates,
    hostname,
    find: objectFinder(feed),
    noteUse: (secret) => noteTokenUse(registry, runtime.log, secret),
  });
  const rules = createLazyRuleCompiler();
  const registry = buildRegistry(core, options, { authentication, authorization, admission, rules, services });
  const lease = await makeOwnObjects(core, options, { registry, services });
  const context = createControllerContext({ runtime, objects: registry, kindOf: kindFinder(core.stored) });
  const aggregation = createAggregation(options.aggregation ?? {}, {
    ...core,
    objects: registry,
    controllers: context,
    onTerminated: (context, code) => observability.requests.terminated(context, code),
  });
  const serving = buildRequests(core, options, { audit, authentication, registry, aggregation });
  const { requests } = serving;
  const bookmarks = startBookmarks(feed, runtime.clock);
  const controllers = startControllers(core, options, { context, rules, services, lease });
  await controllers.ready;
  observability.hooks.reach("everything is served");

  return {
    answer: (request) => requests.answer(request),
    serve: (request, sink) => requests.serve(request, sink),
    metrics: observability.metrics,
    catalogue: core.catalogue,
    customKinds: core.customKinds,
    beginShutdown: () => observability.lifecycle.beginShutdown(),
    refuseRequests: () => observability.lifecycle.refuseRequests(),
    answered: () => requests.answered(),
    failed: core.failed,
    snapshot: () => ({ caches: feed.fork() }),
    setAuthorities(authorities) {
      authentication.setAuthorities(authorities);
      controllers.publishAuthorities(authorities);
    },
    replaceIssuers: (issuers) => authentication.replaceIssuers(issuers),
    replaceAuthorizers: (configs) => authorization.replace(configs),
    replaceKubeletCredentials: (credentials) => registry.streams.replaceCredentials(credentials),
    ...insideOf(core),
    ...behind(aggregation),
    async stop({ watchGraceMs = 0, closeSockets } = {}) {
      observability.lifecycle.beginShutdown();
      await Promise.all([controllers.stop(), aggregation.stop()]);
      if (watchGraceMs > 0) await requests.endWatches(watchGraceMs);
      bookmarks.stop();
      await registry.history?.stop();
      await feed.stop();
      registry.streams.stop();
      requests.cut(); // also watches that were answered and not opened
      await requests.disconnected();
      authorization.stop();
      authentication.stop();
      serving.stop();
      observability.stalls.stop();
      controllers.stopConverters();
      admission.stop();
      await closeSockets?.();
      await requests.disconnected();
      await audit.stop();
    },
  };
}

const behind = (aggregation: Aggregation): Pick<ApiServer, "serveOwnApi" | "replaceProxyCredentials"> => ({
  serveOwnApi: (own) => aggregation.addOwn(own),
  replaceProxyCredentials: (credentials) => aggregation.replaceCredentials(credentials),
});

const insideOf = ({ network }: ServerCore): Pick<ApiServer, "connectInside" | "network"> => ({
  connectInside: (connections) => network.useInside(connections),
  network,
});
