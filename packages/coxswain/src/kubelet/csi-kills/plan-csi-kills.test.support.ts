import { createSeededRandom, randomInt } from "@coxswain/runtime/random";

/** The driver's calls, in the order of a volume's life on a node. */
export const driverCalls = [
  "NodeStageVolume",
  "NodePublishVolume",
  "NodeExpandVolume",
  "NodeUnpublishVolume",
  "NodeUnstageVolume",
] as const;
export type DriverCall = (typeof driverCalls)[number];

export interface CsiKill {
  readonly call: DriverCall;
  /** Milliseconds after the call began. */
  readonly afterMs: number;
  /** Milliseconds until the kubelet is started again. */
  readonly awayMs: number;
}

export interface CsiKillPlan {
  readonly kills: readonly CsiKill[];
  /** Whether the pod is deleted by force while there is no kubelet: nobody knows it any more when the next one starts. */
  readonly isForgotten: boolean;
}

/** Pure: the same for the same seed. @param callMs how long the driver takes for a call */
export function planCsiKills(seed: number, callMs: number): CsiKillPlan {
  const random = createSeededRandom(`csi kills ${seed}`);
  const kills = driverCalls.map((call) => ({
    call,
    afterMs: randomInt(callMs, random),
    awayMs: randomInt(2000, random),
  }));
  return { kills, isForgotten: seed % 3 === 0 };
}
