import { createSeededRandom, randomInt } from "@coxswain/runtime/random";

/** What can happen to one machine, which has an etcd member and an API server, or to what runs on it. */
export const faultKinds = [
  /** No packet between this machine and the others; clients reach it. */
  "cut-machine",
  /** The member of etcd has no other member; API servers reach all of them. */
  "cut-member",
  /** The API server reaches no etcd, not its own either. */
  "cut-server",
  /** The API server's requests arrive at etcd, but no answer comes back. */
  "deaf-server",
  /** Likewise, and then its connections are reset: it has to report writes of which it does not know what became of them. */
  "reset-server",
  /** What the others send does not arrive, or what it sends to them. */
  "deaf-machine",
  "mute-machine",
  /** A quarter of all packets from the others is lost. */
  "loss",
  /** No client reaches the API server. */
  "cut-clients",
  "pause-member",
  "pause-server",
  /** Stopped and continued again and again: everything takes longer. */
  "slow-member",
  "kill-member",
  "kill-server",
  "kill-machine",
  /** Two of three members: nothing can be written. */
  "kill-majority",
  "move-leader",
  "compact",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Which machine, from 0. */
  readonly machine: number;
  /** Milliseconds of traffic before it. */
  readonly atMs: number;
  readonly lastsMs: number;
}

export const machineCount = 3;

/** Traffic without faults before the first one, and between the ends of two that follow each other. */
const quietMs = 700;

/** Pure: the faults of a seed. The first goes round through all kinds; half of the later ones begin before the one before is over. */
export function planFaults(seed: number): readonly Fault[] {
  const random = createSeededRandom(`faults ${seed}`);
  const faults: Fault[] = [];
  let atMs = quietMs;
  for (let index = 0; index < 3; index++) {
    const kind = faultKinds[index === 0 ? seed % faultKinds.length : randomInt(faultKinds.length, random)] ?? "loss";
    const lastsMs = 600 + randomInt(1800, random);
    faults.push({ kind, machine: randomInt(machineCount, random), atMs, lastsMs });
    atMs += random.next() < 0.5 ? Math.round(lastsMs / 2) : lastsMs + quietMs;
  }
  return faults;
}

/** When all of them are over. */
export const endOf = (faults: readonly Fault[]): number =>
  Math.max(...faults.map(({ atMs, lastsMs }) => atMs + lastsMs));
