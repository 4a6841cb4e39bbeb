import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import type { EditableCatalogue } from "../catalogue/catalogue.js";
import type { ControllerContext } from "../controllers/controller-context.js";
import type { RegisteredApis } from "../endpoints/paths/discovery.js";
import type { PathSource } from "../endpoints/paths/path-source.js";
import type { RemoteOpenApi } from "../endpoints/paths/remote-openapi.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { localGroupVersions } from "../registry/own-objects/local-api-services.js";
import { createBackendConnections } from "../registry/streams/backend-connections.js";
import type { Streams } from "../registry/streams/create-streams.js";
import type { RequestContext } from "../request/request-context.js";
import { createCertificateMetrics } from "../webhook/certificate-metrics.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { createAvailabilityController } from "./availability-controller.js";
import { createAvailabilityMetrics } from "./availability-metrics.js";
import type { ProxyCredentials } from "./backend.js";
import { checkDiscovery } from "./check-discovery.js";
import type { OwnApi } from "./own-api.js";
import { proxyRequest } from "./proxy-request.js";
import { followServices } from "./registered-services.js";
import { createRegistrationController } from "./registration-controller.js";
import { discoverRemotes } from "./remote-discovery.js";
import { describeRemotes } from "./remote-openapi.js";
import type { RemoteSet } from "./remote-set.js";

/** How the server connects to API servers behind it. */
export interface AggregationOptions {
  /** The client certificate by which they authenticate it. @default none: they cannot trust its user headers */
  readonly credentials?: ProxyCredentials;
  /** Whether a redirect of theirs is answered with 502 (`--aggregator-reject-forwarding-redirect`). @default true */
  readonly rejectsRedirects?: boolean;
}

export interface AggregationDeps {
  readonly objects: ObjectDeps & { readonly streams: Streams; readonly maxBodyBytes: number };
  readonly remotes: RemoteSet;
  readonly catalogue: EditableCatalogue;
  readonly resolver: ServiceResolver;
  /** Built-in kinds that clients reach. */
  readonly served: readonly AnyKind[];
  readonly runtime: Runtime;
  readonly controllers: ControllerContext;
  onTerminated(context: RequestContext, code: number): void;
}

/** API servers behind this one. */
export interface Aggregation {
  readonly registered: RegisteredApis;
  readonly openApi: RemoteOpenApi;
  /** The documents below `/apis` and `/api` that other servers serve. */
  readonly paths: PathSource;
  /** Serves an API of this process while no other server does. @returns how to end it */
  addOwn(own: OwnApi): () => void;
  /** For connections that begin from now on. */
  replaceCredentials(credentials: ProxyCredentials): void;
  stop(): Promise<void>;
}

export function createAggregation(options: AggregationOptions, deps: AggregationDeps): Aggregation {
  const { runtime, objects, controllers, remotes, catalogue, resolver, served } = deps;
  const { ioClock, metrics } = runtime;
  const { feed, gates, streams, maxBodyBytes } = objects;
  const connections = createBackendConnections();
  const stopping = new AbortController();
  const proxying = {
    resolver,
    streams,
    connections,
    maxBodyBytes,
    rejectsRedirects: options.rejectsRedirects ?? true,
    sendsUid: gates.enabled("RemoteRequestHeaderUID"),
    onTerminated: (context: RequestContext, code: number) => deps.onTerminated(context, code),
  };
  const registered = followServices({
    feed,
    catalogue,
    remotes,
    handle: (backend) => (context) => proxyRequest(proxying, backend, context),
    credentials: options.credentials,
    certificates: createCertificateMetrics(metrics, "kube_aggregator"),
  });
  const { network } = streams;
  const asking = { ioClock, connections, network, resolver, registered, remotes };
  const discovery = discoverRemotes(controllers, asking);
  const openApi = describeRemotes(controllers, asking);
  const builtIn = localGroupVersions(served).map((each) => ({ ...each, managed: "onstart" as const }));
  const own = [
    createRegistrationController(controllers, { registered, builtIn }),
    createAvailabilityController(controllers, {
      registered,
      check: (backend) => checkDiscovery({ ioClock, connections, network, resolver, signal: stopping.signal }, backend),
      metrics: createAvailabilityMetrics(metrics),
    }),
  ];
  for (const controller of own) controller.start();
  return {
    registered: {
      get generation() {
        return discovery.generation;
      },
      ranked: () => registered.ranked(),
      remote: () => discovery.versions(),
    },
    openApi,
    paths(context) {
      const [, prefix, first = "", second = ""] = context.info.path.split("/", 4);
      const isCore = prefix === "api";
      if (!isCore && (prefix !== "apis" || second === "")) return undefined;
      const of = isCore ? { group: "", version: "v1" } : { group: first, version: second };
      return remotes.get(of)?.handle(context);
    },
    addOwn: (own) => registered.addOwn(own),
    replaceCredentials(credentials) {
      registered.setCredentials(credentials);
      connections.dropIdle();
    },
    async stop() {
      stopping.abort();
      registered.stop();
      await Promise.all([...own, discovery, openApi].map((each) => each.stop()));
      connections.close();
    },
  };
}
