import type { PriorityLevelConfigurationSpec } from "@coxswain/api/flowcontrol/v1";
import { allocateSeats } from "./allocate-seats.js";

/** How many seats a level has by right, keeps whatever others want, and may have when others do not need theirs. */
export interface LevelLimits {
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/** Divides the server's seats by the levels' shares. Every level is rounded up, so the sum may be a little more. */
export function nominalLimits(
  levels: ReadonlyMap<string, PriorityLevelConfigurationSpec>,
  serverSeats: number,
): Map<string, LevelLimits> {
  let shares = 0;
  for (const spec of levels.values()) shares += sharesOf(spec).shares;
  const limits = new Map<string, LevelLimits>();
  for (const [name, spec] of levels) {
    const { shares: own, lendablePercent, borrowingLimitPercent } = sharesOf(spec);
    const nominal = shares === 0 ? 0 : Math.ceil((serverSeats * own) / shares);
    const borrowed =
      borrowingLimitPercent === undefined ? serverSeats : Math.round((nominal * borrowingLimitPercent) / 100);
    limits.set(name, {
      nominal,
      min: nominal - Math.round((nominal * lendablePercent) / 100),
      max: nominal + borrowed,
    });
  }
  return limits;
}

function sharesOf({ limited, exempt }: PriorityLevelConfigurationSpec): {
  shares: number;
  lendablePercent: number;
  borrowingLimitPercent: number | undefined;
} {
  if (limited)
    return {
      shares: limited.nominalConcurrencyShares ?? 30,
      lendablePercent: limited.lendablePercent ?? 0,
      borrowingLimitPercent: limited.borrowingLimitPercent,
    };
  return {
    shares: exempt?.nominalConcurrencyShares ?? 0,
    lendablePercent: exempt?.lendablePercent ?? 0,
    borrowingLimitPercent: undefined,
  };
}

/** The most seats that one request of a level may hold; undefined: as many as any request may. */
export function maxSeatsPerRequest(
  { limited }: PriorityLevelConfigurationSpec,
  { nominal }: LevelLimits,
): number | undefined {
  const queuing = limited?.limitResponse?.queuing;
  if (!queuing) return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * 0.15), Math.trunc(nominal / (queuing.handSize ?? 8))));
}

/** What a level could use, as it was seen over the last period. */
export interface LevelDemand {
  readonly isExempt: boolean;
  readonly limits: LevelLimits;
  readonly highWatermark: number;
  readonly smoothed: number;
  /** What it has now. */
  readonly current: number;
}

export interface Adjustment {
  /** In the order of the levels. */
  readonly current: readonly number[];
  readonly targets: readonly number[];
  readonly fairShare: number;
}

/** Lends seats that a level does not need to those that could use more, each in proportion to what it could use. */
export function adjustLimits(levels: readonly LevelDemand[]): Adjustment {
  const nominalSum = sum(levels.map(({ limits }) => limits.nominal));
  const floors = levels.map(({ isExempt, limits, highWatermark }) =>
    Math.max(limits.min, isExempt ? highWatermark : Math.min(limits.nominal, highWatermark)),
  );
  const targets = levels.map(({ smoothed }, at) => Math.max(floors[at] ?? 0, smoothed));
  const limited = levels.flatMap((level, at) => (level.isExempt ? [] : [{ level, at, floor: floors[at] ?? 0 }]));
  const remaining = nominalSum - sum(levels.flatMap(({ isExempt }, at) => (isExempt ? [floors[at] ?? 0] : [])));
  const minSum = sum(limited.map(({ level }) => level.limits.min));
  const floorSum = sum(limited.map(({ floor }) => floor));
  const current = [...floors]; // right for the exempt ones
  if (remaining <= minSum) for (const { level, at } of limited) current[at] = level.limits.min;
  else if (remaining <= floorSum) {
    const fraction = (remaining - minSum) / (floorSum - minSum);
    for (const { level, at, floor } of limited)
      current[at] = level.limits.min + Math.round((floor - level.limits.min) * fraction);
  } else {
    const allocation = allocateSeats(
      nominalSum,
      limited.map(({ level, at, floor }) => ({
        lowerBound: floor,
        upperBound: level.limits.max,
        target: targets[at] ?? 0,
      })),
    );
    for (const [index, { level, at }] of limited.entries())
      current[at] = allocation.kind === "allocated" ? Math.round(allocation.seats[index] ?? 0) : level.current;
    return { current, targets, fairShare: allocation.kind === "allocated" ? allocation.fairShare : 0 };
  }
  return { current, targets, fairShare: 0 };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
