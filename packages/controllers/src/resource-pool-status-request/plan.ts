import type { DeepReadonly } from "@coxswain/api";
import type { ResourceSlice } from "@coxswain/api/resource/v1";
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestStatus,
} from "@coxswain/api/resource/v1alpha3";
import { largest } from "@coxswain/apimachinery/append";
import { parseTimeMs } from "@coxswain/apimachinery/time";

export type CachedRequest = DeepReadonly<ResourcePoolStatusRequest>;
type CachedSlice = DeepReadonly<ResourceSlice>;

const defaultLimit = 100;
/** How long answers, and requests that nobody can answer, are kept: as upstream (pkg/controller/resourcepoolstatusrequest/controller.go). */
const answeredTtlMs = 3_600_000;
const pendingTtlMs = 24 * 3_600_000;

/** Pure: when a request is deleted. */
export function expiryMs({ metadata, status }: CachedRequest): number {
  const created = parseTimeMs(metadata.creationTimestamp ?? "") ?? 0;
  if (!status) return created + pendingTtlMs;
  const end = status.conditions?.find(({ type }) => type === "Complete" || type === "Failed");
  return (parseTimeMs(end?.lastTransitionTime ?? "") ?? created) + answeredTtlMs;
}

export interface PoolInputs {
  readonly request: CachedRequest;
  /** Of the request's driver. */
  readonly slices: readonly CachedSlice[];
  /** How many devices of a pool claims have. */
  allocated(pool: string): number;
  readonly now: string;
}

/** Pure: the pools that are asked for. Undefined: a pool is being published; its slices are waited for. */
export function poolStatuses({
  request,
  slices,
  allocated,
  now,
}: PoolInputs): ResourcePoolStatusRequestStatus | undefined {
  const { driver, poolName, limit = defaultLimit } = request.spec;
  const byPool = new Map<string, CachedSlice[]>();
  for (const slice of slices) {
    const { name } = slice.spec.pool;
    if (poolName !== undefined && poolName !== name) continue;
    const there = byPool.get(name);
    if (there) there.push(slice);
    else byPool.set(name, [slice]);
  }
  const pools: PoolStatus[] = [];
  for (const [name, all] of [...byPool].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const pool = poolStatus(driver, all, allocated(name));
    if (!pool) return undefined;
    pools.push(pool);
  }
  const shown = pools.slice(0, limit);
  return {
    poolCount: pools.length,
    ...(shown.length > 0 && { pools: shown }),
    conditions: [
      {
        type: "Complete",
        status: "True",
        lastTransitionTime: now,
        reason: "CalculationComplete",
        message: `Calculated status for ${shown.length} pools`,
      },
    ],
  };
}

/** Undefined: some slices of the newest generation are missing. */
function poolStatus(driver: string, slices: readonly CachedSlice[], allocatedDevices: number): PoolStatus | undefined {
  const generation = largest(slices.map(({ spec }) => spec.pool.generation));
  const newest = slices.filter(({ spec }) => spec.pool.generation === generation);
  const [first] = newest;
  if (!first || newest.length < first.spec.pool.resourceSliceCount) return undefined;
  const totalDevices = newest.reduce((sum, { spec }) => sum + (spec.devices?.length ?? 0), 0);
  const { nodeName } = first.spec;
  const isOfOneNode = newest.every(({ spec }) => spec.nodeName === nodeName);
  return {
    driver,
    poolName: first.spec.pool.name,
    generation,
    resourceSliceCount: newest.length,
    totalDevices,
    allocatedDevices,
    availableDevices: Math.max(0, totalDevices - allocatedDevices),
    unavailableDevices: 0,
    ...(nodeName && isOfOneNode && { nodeName }),
  };
}
