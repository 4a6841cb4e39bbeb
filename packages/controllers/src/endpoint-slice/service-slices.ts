import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { RecordedEvent } from "@coxswain/client/events";
import { keyOf } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { IpFamily } from "../service-endpoints/pod-addresses.js";
import { recycle, type Slice, type SliceChanges } from "../service-endpoints/slice-plan.js";
import type { SliceTracker } from "../service-endpoints/slice-tracker.js";
import { type TriggerTimes, withTriggerTime } from "../service-endpoints/trigger-times.js";
import { writeSlices } from "../service-endpoints/write-slices.js";
import type { HintState } from "./hint-state.js";
import type { FamilyTotals, SliceMetrics } from "./metrics.js";
import { isOwnedBy } from "./new-slice.js";
import { familiesOf, planSlices, type SlicePlan } from "./plan.js";
import { asksForZoneHints, trafficDistributionOf } from "./traffic-distribution.js";
import type { ZoneRatios } from "./zone-capacity.js";

type CachedService = DeepReadonly<Service>;

export type ReportEvent = (service: CachedService, event: RecordedEvent) => void;

export interface ServiceSlicesDeps {
  readonly client: ControllerContext["client"];
  readonly tracker: SliceTracker;
  readonly triggerTimes: TriggerTimes;
  readonly hints: HintState;
  readonly metrics: SliceMetrics;
  readonly nodeByName: Parameters<typeof planSlices>[0]["nodeByName"];
  readonly maxPerSlice: number;
  /** The gate PreferSameTrafficDistribution. */
  readonly hasPreferSame: boolean;
  readonly report: ReportEvent;
}

/** A service and what its slices are made of. */
export interface ServiceState {
  readonly service: CachedService;
  /** Those that its selector matches. */
  readonly pods: readonly CachedPod[];
  readonly existing: readonly Slice[];
  /** How the zones of the cluster compare; undefined before the nodes were counted. */
  readonly ratios: ZoneRatios | undefined;
}

type Write = (changes: SliceChanges) => Promise<void>;

/** Writes the EndpointSlices of services as they should be, one family of addresses after the other. */
export class ServiceSlices {
  readonly #deps: ServiceSlicesDeps;

  constructor(deps: ServiceSlicesDeps) {
    this.#deps = deps;
  }

  /** What fails for one family does not keep the others. @throws the first failure */
  async bringInLine(state: ServiceState): Promise<void> {
    const { service, pods, existing } = state;
    const families = familiesOf(service);
    const write = this.#writeAt(service, this.#deps.triggerTimes.next(service, pods));
    const failures: unknown[] = [];
    for (const family of families) await this.#bringFamilyInLine(state, family, { write, failures });
    const unsupported = existing.filter(({ addressType }) => !families.some((family) => family === addressType));
    for (const { addressType } of unsupported) this.#deps.hints.forget(keyOf(service), addressType as IpFamily);
    await write({ create: [], update: [], remove: unsupported }).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async #bringFamilyInLine(
    state: ServiceState,
    family: IpFamily,
    { write, failures }: { readonly write: Write; readonly failures: unknown[] },
  ): Promise<void> {
    const { service, pods, ratios } = state;
    const { hints, nodeByName, maxPerSlice, hasPreferSame, report } = this.#deps;
    const existing = state.existing.filter(({ addressType }) => addressType === family);
    const plan = planSlices({ service, pods, existing, family, nodeByName, maxPerSlice });
    const changed = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata?.name));
    const hinted = hints.hint(service, {
      family,
      slices: { ...plan, unchanged: existing.filter(({ metadata }) => !changed.has(metadata?.name)) },
      ratios,
      hasPreferSame,
      report: (event) => report(service, event),
    });
    const changes = recycle({ ...hinted, remove: plan.remove }, (unused) => isOwnedBy(unused, service));
    await write(changes).catch((error) => failures.push(error));
    this.#count(service, family, { plan, changes, existing });
    for (const { metadata, spec } of plan.nodeless)
      failures.push(
        new Error(`skipping Pod ${metadata?.name} for Service ${keyOf(service)}: Node ${spec?.nodeName} Not Found`),
      );
  }

  #count(
    service: CachedService,
    family: IpFamily,
    { plan, changes, existing }: { plan: SlicePlan; changes: SliceChanges; existing: readonly Slice[] },
  ): void {
    const { metrics, maxPerSlice, hasPreferSame } = this.#deps;
    const slices = existing.length + changes.create.length - changes.remove.length;
    metrics.placed(keyOf(service), family, totalsOf(plan, { slices, maxPerSlice }), {
      added: plan.added,
      removed: plan.removed,
      changed: changes.create.length + changes.update.length + changes.remove.length,
      hasZoneHints: asksForZoneHints(service),
      trafficDistribution: trafficDistributionOf(service, { hasPreferSame }),
    });
  }

  /** `trigger`: when the change happened that is being written. */
  #writeAt(service: CachedService, trigger: string | undefined): Write {
    const { client, tracker, metrics } = this.#deps;
    return (changes) =>
      writeSlices(
        {
          create: changes.create.map((slice) => triggeredAt(slice, trigger)),
          update: changes.update.map((slice) => triggeredAt(slice, trigger)),
          remove: changes.remove,
        },
        {
          client,
          tracker,
          namespace: service.metadata?.namespace ?? "",
          owner: `Service ${keyOf(service)}`,
          isOwnerGoing: Boolean(service.metadata?.deletionTimestamp),
          onWrite: metrics.changed,
        },
      );
  }
}

/** For metrics. A service without endpoints has one slice. */
const totalsOf = (
  { groupSizes }: SlicePlan,
  { slices, maxPerSlice }: { readonly slices: number; readonly maxPerSlice: number },
): FamilyTotals => ({
  endpoints: groupSizes.reduce((total, size) => total + size, 0),
  slices,
  desiredSlices: Math.max(
    1,
    groupSizes.reduce((total, size) => total + Math.max(1, Math.ceil(size / maxPerSlice)), 0),
  ),
});

const triggeredAt = (slice: Slice, time: string | undefined): Slice => ({
  ...slice,
  metadata: { ...slice.metadata, annotations: withTriggerTime(slice.metadata?.annotations, time) },
});
