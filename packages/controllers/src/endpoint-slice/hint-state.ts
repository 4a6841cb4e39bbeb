import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { RecordedEvent } from "@coxswain/client/events";
import { keyOf } from "@coxswain/client/informers";
import type { IpFamily } from "../service-endpoints/pod-addresses.js";
import { type HintedSlices, removeHints, type SlicesToHint } from "./hinted-slices.js";
import { addNearbyHints, asksForZoneHints, trafficDistributionOf } from "./traffic-distribution.js";
import { isOverloaded, type ZoneRatios } from "./zone-capacity.js";
import { addZoneHints } from "./zone-hints.js";

/** Which services have hints by zone, and how their endpoints were divided, so that nodes that come and go can change that. */
export interface HintState {
  /** Gives the slices the hints that the service asks for, and reports when hints by zone begin or end. */
  hint(service: DeepReadonly<Service>, inputs: HintInputs): HintedSlices;
  /** The services whose endpoints would be overloaded by these nodes. */
  overloaded(ratios: ZoneRatios | undefined): string[];
  forget(serviceKey: string, family?: IpFamily): void;
}

export interface HintInputs {
  readonly family: IpFamily;
  readonly slices: SlicesToHint;
  readonly ratios: ZoneRatios | undefined;
  readonly hasPreferSame: boolean;
  report(event: RecordedEvent): void;
}

export function createHintState(): HintState {
  const divided = new Map<string, Map<IpFamily, ReadonlyMap<string, number>>>();
  const enabled = new Set<string>();
  const state: HintState = {
    hint(service, { family, slices, ratios, hasPreferSame, report }) {
      const key = keyOf(service);
      const disable = (message: string): void => {
        report({
          type: "Warning",
          reason: "TopologyAwareHintsDisabled",
          message: `${message}, addressType: ${family}`,
        });
        state.forget(key, family);
      };
      if (!asksForZoneHints(service)) {
        if (enabled.has(key)) disable("Topology Aware Hints has been disabled");
        const distribution = trafficDistributionOf(service, { hasPreferSame });
        return distribution === undefined ? removeHints(slices) : addNearbyHints(slices, distribution);
      }
      const plan = addZoneHints(slices, ratios);
      if (plan.kind === "impossible") {
        disable(plan.message);
        return removeHints(slices);
      }
      if (!enabled.has(key)) {
        const message = `Topology Aware Hints has been enabled, addressType: ${family}`;
        report({ type: "Normal", reason: "TopologyAwareHintsEnabled", message });
      }
      enabled.add(key);
      const families = divided.get(key) ?? new Map<IpFamily, ReadonlyMap<string, number>>();
      divided.set(key, families.set(family, plan.endpointsByZone));
      return plan;
    },
    overloaded: (ratios) =>
      [...divided]
        .filter(([, families]) => [...families.values()].some((zones) => isOverloaded(zones, ratios)))
        .map(([key]) => key),
    forget(key, family) {
      const families = divided.get(key);
      if (family !== undefined) families?.delete(family);
      if (family === undefined || !families?.size) divided.delete(key);
      enabled.delete(key);
    },
  };
  return state;
}
