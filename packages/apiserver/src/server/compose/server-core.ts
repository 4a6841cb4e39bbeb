import { builtInFeatureGates, ownFeatureGates } from "@coxswain/api/feature-gates";
import { initializersGate, typesWithInitializers } from "@coxswain/api/initializers";
import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import { builtInTypes } from "@coxswain/api/tables";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import { createFeatureGates, type FeatureGates } from "@coxswain/component/feature-gates";
import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import { createRemoteSet, type RemoteSet } from "../../aggregation/remote-set.js";
import { type AuthorizerConfig, configOfMode } from "../../authorization/authorizer-config.js";
import { defaultModes } from "../../authorization/modes.js";
import { type CacheFeed, startCacheFeed } from "../../cache/cache-feed.js";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix } from "../../cache/object-key.js";
import { createCatalogue, type EditableCatalogue } from "../../catalogue/catalogue.js";
import { createKindSet } from "../../catalogue/kind-set.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { serverStartHooks } from "../../endpoints/paths/server-start-hooks.js";
import { createNetwork, type Network } from "../../network/network.js";
import { readProtobufValues } from "../../objects/protobuf-values.js";
import {
  createServedCustomKinds,
  type ServedCustomKinds,
} from "../../registry/custom-resources/served-custom-kinds.js";
import { historyKinds } from "../../registry/history/history-kinds.js";
import { chooseServedKinds } from "../../registry/runtime-config/served-kinds.js";
import { defaultClusterIpRanges } from "../../registry/services/allocation.js";
import { type CertificateMetrics, createCertificateMetrics } from "../../webhook/certificate-metrics.js";
import { createServiceResolver, type ServiceResolver } from "../../webhook/service-resolver.js";
import { createObservability, type Observability } from "../observability/observability.js";
import type { ApiServerOptions } from "./api-server-options.js";
import { storeFailure } from "./store-failure.js";
import { unreadableLog } from "./unreadable-log.js";
import { refuseUnsupportedGates } from "./unsupported-gates.js";

/** What every part of the server is built on: the runtime, the store and its caches, what is served, and what operators see. */
export interface ServerCore {
  /** It counts where the observability does. */
  readonly runtime: Runtime;
  readonly gates: FeatureGates;
  readonly store: KeyValueStore;
  readonly feed: CacheFeed;
  /** Every built-in type, as this server's gates have it. */
  readonly types: TypeRegistry;
  /** Built-in kinds that have a place in the store. */
  readonly stored: readonly AnyKind[];
  /** Built-in kinds that clients reach. */
  readonly served: readonly AnyKind[];
  readonly catalogue: EditableCatalogue;
  /** Group-versions of API servers behind this one. */
  readonly remotes: RemoteSet;
  readonly customKinds: ServedCustomKinds;
  readonly authorizers: readonly AuthorizerConfig[];
  readonly observability: Observability;
  readonly certificates: CertificateMetrics;
  readonly resolver: ServiceResolver;
  readonly network: Network;
  readonly hostname: string;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
}

/** Fills the caches from the store. */
export async function openCore(options: ApiServerOptions): Promise<ServerCore> {
  const { ioClock, random, log } = options.runtime;
  const gates = createFeatureGates(
    [...builtInFeatureGates, initializersGate, ...ownFeatureGates],
    options.api?.featureGates,
  );
  refuseUnsupportedGates(gates, options.api?.featureGates);
  const types = gates.enabled(initializersGate.name) ? typesWithInitializers : builtInTypes;
  const runtimeConfig = options.api?.runtimeConfig;
  const { stored, served } = chooseServedKinds({ gates, types, ...(runtimeConfig && { runtimeConfig }) });
  const store = readProtobufValues(options.store, stored);
  const feed = await startCacheFeed({
    store,
    kinds: stored,
    runtime: options.runtime,
    initial: options.initial?.caches,
    ...unreadableLog(log, ioClock),
    onLostPast: (error) => log.warn("earlier watches cannot resume: the store's past cannot be read", { error }),
  });
  const { failed, problem } = storeFailure(feed);
  const authorizers = (options.authorizers ?? defaultModes).map((each) =>
    typeof each === "string" ? configOfMode(each) : each,
  );
  const observability = createObservability(options.observability ?? {}, options.limits ?? {}, {
    store,
    feed,
    gates,
    runtime: options.runtime,
    startHooks: serverStartHooks({
      withRbac: authorizers.some(({ type }) => type === "RBAC"),
      more: options.observability?.startHooks ?? [],
    }),
    storeProblem: problem,
  });
  observability.hooks.reach("caches are filled");
  const kinds = createKindSet();
  const remotes = createRemoteSet();
  const catalogue = createCatalogue([
    remotes,
    createKindSet(served),
    createKindSet(options.history ? historyKinds : []),
    kinds,
  ]);
  return {
    runtime: { ...options.runtime, metrics: observability.metrics },
    gates,
    store,
    feed,
    types,
    stored,
    served,
    catalogue,
    remotes,
    customKinds: createServedCustomKinds({ feed, catalogue, kinds }),
    authorizers,
    observability,
    certificates: createCertificateMetrics(observability.metrics),
    network: openNetwork(options, feed),
    resolver: createServiceResolver(options.serviceRouting ?? {}, feed, random),
    hostname: options.identity?.hostname ?? "localhost",
    failed,
  };
}

/** Services' ranges are those of the flag and, as they come and go, those of ServiceCIDRs. */
function openNetwork({ simulatedNetwork, services = {} }: ApiServerOptions, feed: CacheFeed): Network {
  const kind = storedKind("networking.k8s.io", "servicecidrs");
  const cidrs = createLister<ServiceCIDR>(feed.cacheOf(kind));
  return createNetwork({
    simulated: simulatedNetwork,
    *serviceCidrs() {
      yield* services.clusterIpRanges ?? defaultClusterIpRanges;
      for (const { spec } of cidrs.list(collectionPrefix(kind, ""))) yield* spec?.cidrs ?? [];
    },
  });
}
