import { createHash } from "node:crypto";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { TaskScheduler } from "@coxswain/apimachinery/task-scheduler";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { systemClock, type Clock } from "@coxswain/apimachinery/clock";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid, systemRandom, type RandomSource } from "@coxswain/apimachinery/random";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { type Logger, silentLogger } from "@coxswain/component/log";
import type { Metrics } from "@coxswain/component/metrics";
import type { KeyValueStore } from "@coxswain/storage";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";
import { type Authentication, createAuthentication } from "../authentication/create-authentication.js";
import { type AuthorizerConfig, configOfMode } from "../authorization/authorizer-config.js";
import { createAuthorization } from "../authorization/create-authorization.js";
import { type AuthorizationMode, defaultModes } from "../authorization/modes.js";
import { type AuditOptions, createAudit } from "../audit/create-audit.js";
import { createAdmission, noAdmission } from "../admission/admission.js";
import type { PluginChoice } from "../admission/choose-plugins.js";
import { defaultPlugins } from "../admission/default-plugins.js";
import { createLazyPolicyEngine } from "../admission/policies/engine/lazy-policy-engine.js";
import { createWebhookMeter } from "../admission/webhooks/webhook-metrics.js";
import { startBookmarks } from "../cache/bookmarks.js";
import { startCacheFeed } from "../cache/cache-feed.js";
import { createLister } from "../cache/lister.js";
import { createListPins } from "../cache/list-pins.js";
import { type Catalogue, createCatalogue } from "../catalogue/catalogue.js";
import { createKindSet } from "../catalogue/kind-set.js";
import { firstOf } from "../endpoints/paths/path-source.js";
import { createRouter } from "../endpoints/router.js";
import { defaultFilters } from "../filters/default-filters.js";
import { chain } from "../request/filter.js";
import { createFairness } from "./create-fairness.js";
import { readForeignValues } from "../objects/foreign-values.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { createSharedLeases } from "../objects/shared-leases.js";
import { createComponentChecks, type ProbeComponent } from "../registry/component-statuses/component-checks.js";
import { createHttpsProbe } from "../registry/component-statuses/probe-https.js";
import { connectHandler } from "../registry/connect-handlers.js";
import { createServedCustomKinds, type ServedCustomKinds } from "../registry/custom-resources/served-custom-kinds.js";
import { createLazyRuleCompiler } from "../registry/custom-resources/lazy-rule-compiler.js";
import { createConversionCaller } from "../registry/custom-resources/convert-webhook.js";
import { keepDefinitions } from "../registry/custom-resources/keep-definitions.js";
import { keepFlowControl } from "../registry/flow-control/keep-flow-control.js";
import { type Identity, identityLease, keepIdentity } from "../registry/identity/identity-lease.js";
import type { Endpoint } from "../registry/kubernetes-service/objects.js";
import type { PreparedObjects } from "../registry/prepared-objects.js";
import { keepAuthentication } from "../registry/keep-authentication.js";
import { keepServerObjects } from "../registry/keep-server-objects.js";
import { ensureServerObjects } from "../registry/server-objects.js";
import type { RegistryDeps } from "../registry/registry-deps.js";
import { specialHandler } from "../registry/special-handlers.js";
import { createEscalationGuards } from "../registry/rbac/escalation-guards.js";
import { kindFinder } from "../registry/kind-finder.js";
import { createQuotaWriter } from "../registry/resource-quotas/quota-writer.js";
import { makeNamespace } from "../registry/namespaces/make-namespace.js";
import { createClaimStatusGuard } from "../registry/resource-claims/status-guard.js";
import { chooseServedKinds } from "../registry/runtime-config/served-kinds.js";
import { noteTokenUse } from "../registry/service-accounts/note-token-use.js";
import { objectFinder } from "../registry/service-accounts/object-finder.js";
import { createOpenIdPaths } from "../registry/service-accounts/openid-paths.js";
import { createServiceCompanions, type ServiceAllocationOptions } from "../registry/services/companions.js";
import { keepDefaultCidr } from "../registry/services/keep-default-cidr.js";
import { keepRepaired } from "../registry/services/repair/keep-repaired.js";
import { createStreams, type KubeletCredentials, type KubeletOptions } from "../registry/streams/create-streams.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { createServerPaths } from "./server-paths.js";
import { createAdmissionMeter } from "./metrics/admission-metrics.js";
import { createBodyMeter } from "./metrics/body-metrics.js";
import { meterStore } from "./metrics/store-metrics.js";
import type { ApiRequest } from "../request/request.js";
import type { ResponseSink } from "../request/response-sink.js";
import { type AnsweredRequest, createRequestServer } from "./serve-requests.js";
import type { Soon } from "../runtime/soon.js";
import { createCertificateMeter } from "../webhook/certificate-meter.js";
import { createHookClients } from "../webhook/hook-clients.js";
import { createClusterIpResolver, createEndpointResolver, type ServiceResolver } from "../webhook/service-resolver.js";
import { createSurface, type SurfaceOptions } from "./surface.js";

export interface ApiServerOptions {
  store: KeyValueStore;
  /** What is seen in the API: stamps, ages, TTLs. @default the system clock */
  clock?: Clock;
  /** Sockets and deadlines. @default the system clock */
  ioClock?: Clock;
  /** Shared with what else uses this thread: the listener, the store. @default its own */
  scheduler?: TaskScheduler;
  /** @default the system's */
  random?: RandomSource;
  /** @default silent */
  log?: Logger;
  /** Asked in this order, after system:masters. @default Node, RBAC */
  authorizationModes?: readonly AuthorizationMode[];
  /** Instead of modes: authorizers that need more to be known, such as webhooks. @default the modes */
  authorizers?: readonly AuthorizerConfig[];
  /** Admission plugins beside the default ones, and default ones that do not run. @default none */
  admissionPlugins?: PluginChoice;
  /** Finds where the services of webhooks are. @default their cluster IP, or with `routesToEndpoints` one of their endpoints */
  serviceResolver?: ServiceResolver;
  /** Whether webhooks behind services are reached at their endpoints (`--enable-aggregator-routing`). @default false */
  routesToEndpoints?: boolean;
  /** Gates that differ from Kubernetes 1.36's defaults. @default none */
  featureGates?: ReadonlyMap<string, string>;
  /** Whether containers may be privileged. kube-apiserver says no unless it is told. @default true */
  allowPrivileged?: boolean;
  /** What is served beside the defaults or no longer, as `--runtime-config` says it. @default the defaults of 1.36 */
  runtimeConfig?: ReadonlyMap<string, string>;
  /** Where services get their addresses from: one CIDR or one of each family. @default 10.96.0.0/16 */
  serviceClusterIpRanges?: readonly string[];
  /** @default 30000-32767 */
  serviceNodePorts?: ServiceAllocationOptions["nodePorts"];
  /** How long an Event stays after it was written last, in milliseconds; 0: for ever. @default 1 h */
  eventTtlMs?: number;
  /** For how long new Events share a lease of the store, in milliseconds. @default 60 s */
  leaseReuseMs?: number;
  /** Where clients inside the cluster reach the server; never a loopback address. @default not told */
  endpoint?: Endpoint;
  /** Who may come, and by what they are known. What its `clientCa` and `requestHeader` say is told to servers that stand behind this one. */
  authentication?: AuthenticationOptions;
  /** Whether and as whom this server shows that it is alive. @default it does not */
  identity?: Identity;
  /** How componentstatuses ask the scheduler and the controller manager. @default HTTPS on this machine */
  probeComponent?: ProbeComponent;
  /** How the server speaks to kubelets. @default without a certificate, believing whoever answers */
  kubelet?: KubeletOptions;
  /** What `prepareObjects` made, asked for when the store lacks some of it and no gates were set. @default made at the start */
  preparedObjects?: () => Promise<PreparedObjects>;
  /** What discovery tells clients. @default "127.0.0.1:6443" */
  serverAddress?: () => string;
  /** @default 3 MiB */
  maxBodyBytes?: number;
  /** What is told of requests, and to whom. @default nothing */
  audit?: AuditOptions;
  /** What operators see of the server, its limits and its metrics. */
  surface?: SurfaceOptions;
  /** @default 30 min */
  minWatchMs?: number;
}

/** The server without a socket: requests go in as values, answers come out as values or as bytes. */
export interface ApiServer {
  /** Never rejects: whatever goes wrong is an answer. */
  answer(request: ApiRequest): Promise<AnsweredRequest>;
  /** Answers and writes. Resolves when the response has ended. */
  serve(request: ApiRequest, sink: ResponseSink): Soon<void>;
  /** From here on `/readyz` says no; everything else goes on. */
  beginShutdown(): void;
  /** New requests hear 429. Resolves when those under way are answered, watches aside. */
  refuseRequests(): Promise<void>;
  /** From the next request on, certificates of these authorities count. */
  setAuthorities: Authentication["setAuthorities"];
  replaceIssuers: Authentication["replaceIssuers"];
  /** From now on these decide who may do what. */
  replaceAuthorizers(configs: readonly AuthorizerConfig[]): void;
  /** From now on kubelets are shown and asked for these. */
  replaceKubeletCredentials(credentials: KubeletCredentials): void;
  /**
   * Ends watches (evenly over `watchGraceMs`, @default at once), waits for the requests under way, and leaves the store to whoever opened it.
   * `closeSockets` is called before the audit log ends: until then a request may come, and is told.
   */
  stop(options?: { watchGraceMs?: number; closeSockets?: () => Promise<void> }): Promise<void>;
  /** What is served now. */
  readonly catalogue: Catalogue;
  /** Kinds beside the built-in ones. */
  readonly customKinds: ServedCustomKinds;
  /** What it counts; more may be added. */
  readonly metrics: Metrics;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
}

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const {
    clock = systemClock,
    ioClock = systemClock,
    scheduler = new TaskScheduler(ioClock),
    random = systemRandom,
    log = silentLogger,
  } = options;
  let failure: string | undefined;
  const gates = createFeatureGates(builtInFeatureGates, options.featureGates);
  const { stored, served } = chooseServedKinds({
    gates,
    ...(options.runtimeConfig && { runtimeConfig: options.runtimeConfig }),
  });
  const store = readForeignValues(options.store, stored);
  const feed = await startCacheFeed({
    store,
    kinds: stored,
    clock,
    onLostPast: (error) => log.warn("earlier watches cannot resume: the store's past cannot be read", { error }),
  });
  const authorizers = options.authorizers ?? (options.authorizationModes ?? defaultModes).map(configOfMode);
  const surface = createSurface(options.surface ?? {}, {
    store,
    feed,
    gates,
    ioClock,
    log,
    withRbac: authorizers.some(({ type }) => type === "RBAC"),
    storeProblem: () => failure,
  });
  const certificates = createCertificateMeter(surface.metrics);
  const audit = createAudit(options.audit, { metrics: surface.metrics, certificates, clock, ioClock, random, log });
  const { hooks } = surface;
  const hostname = options.identity?.hostname ?? "localhost";
  hooks.reach("caches are filled");
  const authorization = createAuthorization(authorizers, {
    feed,
    gates,
    ioClock,
    random,
    metrics: surface.metrics,
    certificates,
  });
  const { authorizer } = authorization;
  /** What plugins write is part of a request that was admitted already. */
  const unadmitted: ObjectDeps = { store, feed, random, gates, clock, admission: noAdmission };
  const kinds = createKindSet();
  const catalogue = createCatalogue([createKindSet(served), kinds]);
  const servicesLister = createLister<Service>(feed.cacheOf(storedKind("", "services")));
  const slicesLister = createLister<EndpointSlice & KubernetesObject>(
    feed.cacheOf(storedKind("discovery.k8s.io", "endpointslices")),
  );
  const resolver =
    options.serviceResolver ??
    (options.routesToEndpoints
      ? createEndpointResolver(servicesLister, slicesLister, random)
      : createClusterIpResolver(servicesLister));
  const policyEngine = createLazyPolicyEngine();
  const plugins = defaultPlugins(
    {
      feed,
      random,
      gates,
      clock,
      authorizer,
      catalogue,
      policyEngine,
      webhooks: { ioClock, log, meter: createWebhookMeter(surface.metrics), certificates, resolver, catalogue },
      makeNamespace: (name) => makeNamespace(unadmitted, name),
      quotaWriter: createQuotaWriter(unadmitted),
    },
    options.admissionPlugins ?? {},
  );
  const admission = createAdmission(
    plugins,
    createAdmissionMeter(surface.metrics, () => ioClock.monotonic()),
  );
  hooks.reach("admission is ready");
  const guards = new Map([
    ...createEscalationGuards(feed, authorizer),
    [storedKind("resource.k8s.io", "resourceclaims"), createClaimStatusGuard(authorizer, gates)],
  ]);
  const serviceKind = storedKind("", "services");
  const clusterIpRanges = options.serviceClusterIpRanges ?? ["10.96.0.0/16"];
  const authentication = createAuthentication(options.authentication ?? {}, {
    clock,
    ioClock,
    random,
    log,
    metrics: surface.metrics,
    certificates,
    hostname,
    find: objectFinder(feed),
    noteUse: (secret) => noteTokenUse(deps, log, secret),
  });
  const { tokens } = authentication;
  const rules = createLazyRuleCompiler();
  const definitionKind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
  const expressionKinds = new Set(
    [
      "mutatingadmissionpolicies",
      "mutatingwebhookconfigurations",
      "validatingadmissionpolicies",
      "validatingwebhookconfigurations",
    ].map((resource) => storedKind("admissionregistration.k8s.io", resource)),
  );
  const deps: RegistryDeps = {
    rulesOf: authorization.rulesOf,
    tokens,
    reviewToken: (token, audiences) => authentication.reviewToken(token, audiences),
    companionsOf: (kind) => (kind === serviceKind ? services : guards.get(kind)),
    authorizer,
    components: createComponentChecks(store, options.probeComponent ?? createHttpsProbe(ioClock)),
    store: meterStore(store, { metrics: surface.metrics, clock: ioClock, kinds: stored }),
    feed,
    leases: createSharedLeases(store.leases, ioClock, {
      lifetimes: new Map([[storedKind("", "events"), options.eventTtlMs ?? 3_600_000]]),
      ...(options.leaseReuseMs !== undefined && { reuseMs: options.leaseReuseMs }),
    }),
    admission,
    gates,
    loadFor(kind) {
      if (kind === definitionKind) return rules.loaded ? undefined : rules.load();
      return expressionKinds.has(kind) && !policyEngine.loaded ? policyEngine.load() : undefined;
    },
    ruleCompiler: () => rules.loaded,
    admissionCompiler: () => policyEngine.loaded?.compiler,
    allowPrivileged: options.allowPrivileged ?? true,
    clock,
    random,
    pins: createListPins(clock),
    streams: createStreams(options.kubelet ?? {}, { clock: ioClock, random }),
    bodyRead: createBodyMeter(surface.metrics),
    maxBodyBytes: options.maxBodyBytes ?? 3 * 1024 * 1024,
    minWatchMs: options.minWatchMs ?? 30 * 60_000,
  };
  const nodePorts = options.serviceNodePorts ?? { first: 30_000, last: 32_767 };
  const services = createServiceCompanions(deps, { clusterIpRanges, nodePorts });
  const kindOf = kindFinder(stored);
  const lease = options.identity && identityLease(options.identity, deps);
  await ensureServerObjects(deps, kindOf, {
    clusterIpRanges,
    served,
    endpoint: options.endpoint,
    realNow: ioClock.now(),
    ...toldAuthorities(options.authentication),
    more: lease ? [lease] : [],
    prepared: options.featureGates?.size ? undefined : options.preparedObjects,
    made: () => hooks.reach("objects are made"),
  });
  hooks.reach("objects are up to date");
  const toldTrust = keepAuthentication(
    toldAuthorities(options.authentication),
    { ...deps, realNow: () => ioClock.now() },
    kindOf,
    log,
  );
  const customKinds = createServedCustomKinds({ feed, catalogue, kinds });
  const converters = createHookClients({ ioClock, random, resolver, certificates });
  const definitions = keepDefinitions({
    objects: deps,
    customKinds,
    log,
    rules,
    sha256: (text) => createHash("sha256").update(text).digest(),
    uid: () => randomUuid(random),
    callWebhook: createConversionCaller(converters),
  });
  /** What the server keeps up to date while it runs. */
  const keepers: readonly { stop(): Promise<void> }[] = [
    ...(lease ? [keepIdentity(deps, lease, log)] : []),
    toldTrust,
    keepServerObjects(deps, kindOf, { clusterIpRanges, endpoint: options.endpoint, log }),
    keepDefaultCidr(deps, kindOf, { cidrs: clusterIpRanges, log }),
    keepRepaired(deps, { nodePorts, hostname }, log),
    keepFlowControl(deps, kindOf, log),
    definitions,
  ];
  const fairness = createFairness(
    options.surface ?? {},
    { feed, gates, clock: ioClock, metrics: surface.metrics },
    surface.filters.inFlight,
  );
  const serverAddress = options.serverAddress ?? (() => "127.0.0.1:6443");
  const paths = firstOf(
    createOpenIdPaths(tokens, { serverAddress, jwksUri: options.authentication?.serviceAccount?.jwksUri }),
    createServerPaths({ catalogue, surface, now: () => ioClock.now(), serverAddress }),
    fairness.pages,
  );
  const router = createRouter({
    deps,
    catalogue,
    handlers: { connect: connectHandler, special: specialHandler },
    paths,
  });
  const handle = chain(
    defaultFilters({
      log,
      ioClock,
      random,
      ...surface.filters,
      fairness: fairness.limits,
      audit: audit.filters,
      authentication,
      authorizer,
      gates,
    }),
    router,
  );
  const bookmarks = startBookmarks(feed, ioClock);
  const requests = createRequestServer({
    handle,
    random,
    ioClock,
    log,
    requests: surface.requests,
    scheduler,
    stalls: surface.stalls,
  });
  const failed = feed.ended.then(
    () => new Promise<never>(() => {}),
    (err: unknown) => {
      failure = err instanceof Error ? err.message : String(err);
      throw err;
    },
  );
  failed.catch(() => {}); // told to whoever asks

  await definitions.ready;
  hooks.reach("everything is served");
  return {
    answer: (request) => requests.answer(request),
    serve: (request, sink) => requests.serve(request, sink),
    metrics: surface.metrics,
    catalogue,
    customKinds,
    beginShutdown: () => surface.lifecycle.beginShutdown(),
    refuseRequests() {
      surface.lifecycle.refuseRequests();
      return requests.settled();
    },
    failed,
    setAuthorities(authorities) {
      authentication.setAuthorities(authorities);
      toldTrust
        .tell(replacedAuthorities(options.authentication, authorities))
        .catch((error: unknown) => log.warn("new authorities were not told to other servers", { error }));
    },
    replaceIssuers: (issuers) => authentication.replaceIssuers(issuers),
    replaceAuthorizers: (configs) => authorization.replace(configs),
    replaceKubeletCredentials: (credentials) => deps.streams.replaceCredentials(credentials),
    async stop({ watchGraceMs = 0, closeSockets } = {}) {
      surface.lifecycle.beginShutdown();
      await Promise.all(keepers.map((keeper) => keeper.stop()));
      if (watchGraceMs > 0) await requests.endWatches(watchGraceMs);
      bookmarks.stop();
      await feed.stop();
      deps.streams.stop();
      await requests.drained();
      authorization.stop();
      authentication.stop();
      fairness.stop();
      surface.stalls.stop();
      converters.stop();
      for (const plugin of plugins) plugin.stop?.();
      await closeSockets?.();
      await requests.drained();
      await audit.stop();
    },
  };
}

const toldAuthorities = ({
  clientCa,
  requestHeader,
}: AuthenticationOptions = {}): Pick<AuthenticationOptions, "clientCa" | "requestHeader"> => ({
  ...(clientCa === undefined ? {} : { clientCa }),
  ...(requestHeader ? { requestHeader } : {}),
});

const replacedAuthorities = (
  { requestHeader }: AuthenticationOptions = {},
  { clientCa, requestHeader: authority }: Parameters<Authentication["setAuthorities"]>[0],
): Pick<AuthenticationOptions, "clientCa" | "requestHeader"> => ({
  clientCa,
  ...(requestHeader ? { requestHeader: { ...requestHeader, authority: authority ?? requestHeader.authority } } : {}),
});
