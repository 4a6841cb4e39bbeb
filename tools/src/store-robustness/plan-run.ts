import { createSeededRandom } from "@coxswain/runtime/random";

/** Kinds of requests, as etcd's robustness tests have them. */
export const traffics = ["kubernetes", "kubernetes-create-delete", "puts", "deletes", "leases"] as const;
export type Traffic = (typeof traffics)[number];

/** `kill-full`: killed while the disk is full. */
export const faultKinds = ["kill", "pause", "full", "kill-full", "stop"] as const;

export interface Fault {
  readonly kind: (typeof faultKinds)[number];
  /** Milliseconds of traffic before it. */
  readonly afterMs: number;
  /** How long it lasts: a pause, a full disk, the time until the store is started again. */
  readonly lastsMs: number;
}

export interface RunPlan {
  readonly seed: number;
  readonly traffic: Traffic;
  readonly faults: readonly Fault[];
  /** Whether history is compacted, up to what was read out of the store when it was last down. */
  readonly compacts: boolean;
}

const lasting: Readonly<Record<Fault["kind"], readonly [number, number]>> = {
  kill: [0, 300],
  pause: [200, 1800],
  full: [300, 1500],
  "kill-full": [200, 800],
  stop: [0, 300],
};

/** Pure: what happens in the run of a seed. Kinds of traffic and first faults go round, so that a few seeds have them all. */
export function planRun(seed: number): RunPlan {
  const random = createSeededRandom(seed);
  const between = (least: number, most: number): number => Math.round(least + random.next() * (most - least));
  const faults = Array.from({ length: between(1, 3) }, (_, index): Fault => {
    const kind = faultKinds[index === 0 ? seed % faultKinds.length : between(0, faultKinds.length - 1)] ?? "kill";
    const [least, most] = lasting[kind];
    return { kind, afterMs: between(500, 1500), lastsMs: between(least, most) };
  });
  const traffic = traffics[Math.floor(seed / faultKinds.length) % traffics.length] ?? "kubernetes";
  return { seed, traffic, faults, compacts: seed % 2 === 0 };
}
