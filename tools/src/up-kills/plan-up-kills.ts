import { createSeededRandom, randomInt } from "@coxswain/runtime/random";

/** When the cluster's processes are killed. */
export const moments = ["starting", "running", "stopping"] as const;
/** Which: `up` itself, a program of its nodes, some of all, or all. */
export const victims = ["up", "node", "containerd", "some", "all"] as const;

export interface UpKill {
  readonly moment: (typeof moments)[number];
  /** Milliseconds after the moment began: with the first change to the machine, when the cluster is ready, when it is asked to stop. */
  readonly afterMs: number;
  readonly victim: (typeof victims)[number];
  /** By which some are chosen. */
  readonly chance: number;
}

/** How long each moment lasts, in milliseconds: a start takes some seconds, an end less than two. */
const lengths = { starting: 8000, running: 3000, stopping: 1500 };

/** Pure: the same for the same seed. Each moment has its turn, and within five seeds of it each victim. */
export function planUpKill(seed: number): UpKill {
  const random = createSeededRandom(`up kills ${seed}`);
  const moment = moments[seed % moments.length] ?? "running";
  return {
    moment,
    afterMs: randomInt(lengths[moment], random),
    victim: victims[Math.floor(seed / moments.length) % victims.length] ?? "all",
    chance: random.next(),
  };
}
