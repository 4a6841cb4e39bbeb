import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates, type FeatureGates } from "@coxswain/component/feature-gates";
import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import { type CacheFeed, startCacheFeed } from "../cache/cache-feed.js";
import { type Catalogue, createCatalogue } from "../catalogue/catalogue.js";
import { createKindSet } from "../catalogue/kind-set.js";
import { type StoreFailure, storeFailure } from "../server/compose/store-failure.js";
import { unreadableLog } from "../server/compose/unreadable-log.js";
import { createObservability, type Observability } from "../server/observability/observability.js";
import type { LimitOptions } from "../server/requests/limit-options.js";
import type { OwnServerOptions } from "./library-options.js";
import { makeKinds } from "./make-kinds.js";

/** What every part of a server of one's own is built on. */
export interface OwnCore extends Pick<StoreFailure, "failed"> {
  readonly runtime: Runtime;
  readonly store: KeyValueStore;
  readonly feed: CacheFeed;
  /** Hubs: what stands in the store. */
  readonly stored: readonly AnyKind[];
  readonly gates: FeatureGates;
  readonly catalogue: Catalogue;
  readonly limits: LimitOptions;
  readonly observability: Observability;
}

/** Makes the kinds and fills their caches from the store. */
export async function openOwnCore(options: OwnServerOptions, given: Runtime): Promise<OwnCore> {
  const { stored, served } = await makeKinds(options.groups);
  const { store } = options;
  const { log, ioClock } = given;
  const gates = createFeatureGates(builtInFeatureGates);
  const feed = await startCacheFeed({
    store,
    kinds: stored,
    runtime: given,
    ...unreadableLog(log, ioClock),
    onLostPast: (error) => log.warn("earlier watches cannot resume: the store's past cannot be read", { error }),
  });
  const { failed, problem } = storeFailure(feed);
  const limits = { maxRequestsInFlight: 400, maxMutatingRequestsInFlight: 200, ...options.limits };
  const observability = createObservability(options.observability ?? {}, limits, {
    store,
    feed,
    gates,
    runtime: given,
    startHooks: [],
    storeProblem: problem,
  });
  return {
    runtime: { ...given, metrics: observability.metrics },
    store,
    feed,
    stored,
    gates,
    catalogue: createCatalogue([createKindSet(served)]),
    limits,
    observability,
    failed,
  };
}
