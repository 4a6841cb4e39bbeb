import type { AllocationResult } from "../../devices/allocation-result.js";
import { alternativesOf, fullName, requestsOf } from "../../devices/device-request.js";
import type { DeviceClassResolver, RequestMapping } from "../../devices/extended-resources.js";
import type { Selectors } from "../../devices/selectors.js";
import type { ResourceClaim } from "../../framework/cluster-objects.js";
import type { Cycle } from "../../framework/cycle.js";
import type { PluginContext } from "../plugin-context.js";
import type { ClaimTracker } from "./claim-tracker.js";

export const pluginName = "DynamicResources";

/** The most alternatives that a request may have. */
const maxAlternatives = 8;

/** What the steps of the plugin share. */
export interface DeviceContext extends PluginContext {
  readonly selectors: Selectors;
  readonly tracker: ClaimTracker;
  readonly deviceClassFor: DeviceClassResolver;
  /** How long drivers may take for what they have to do before a pod is bound. */
  readonly bindingTimeoutMs: number;
  newUid(): string;
}

/** What a cycle remembers. */
export interface ClaimState {
  /** Those that the pod names; behind them the one for its extended resources. */
  readonly claims: ResourceClaim[];
  readonly extended: ResourceClaim | undefined;
  /** Claims that are allocated where the pod does not fit. */
  readonly unavailable: Set<ResourceClaim>;
  readonly byNode: Map<string, NodeAllocation>;
  /** Since `reserve`, by the claim's place. */
  allocations: (AllocationResult | undefined)[];
}

export interface NodeAllocation {
  /** In the order of the claims that had no allocation. */
  readonly results: readonly AllocationResult[];
  readonly extended: ResourceClaim | undefined;
  readonly mappings: readonly RequestMapping[];
}

/** Undefined where the pod has no claims. */
export const stateOf = (state: Cycle["state"]): ClaimState | undefined =>
  state.get(pluginName) as ClaimState | undefined;

export const needsAllocation = ({ status }: ResourceClaim): boolean => status?.allocation === undefined;

/** More for alternatives that the user would rather have. */
export function preferenceOf({ claims }: ClaimState, found: NodeAllocation | undefined): number {
  if (found === undefined) return 0;
  let score = 0;
  let at = 0;
  for (const claim of claims) {
    const allocation = claim.status?.allocation ?? found.results[at++];
    const taken = new Set(allocation?.devices?.results?.map(({ request }) => request));
    for (const request of requestsOf(claim))
      if (request.exactly === undefined)
        for (const [place, alternative] of alternativesOf(request).entries())
          if (taken.has(fullName(alternative))) score += maxAlternatives - place;
  }
  return score;
}
