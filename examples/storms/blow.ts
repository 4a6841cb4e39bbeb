// What a program is put through: bad weather of the client library, kills, pauses, a killed server, and users who edit meanwhile.

import type { Manager } from "@coxswain/operator";
import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { RunningProgram, TestCluster } from "@coxswain/testkit";

/** A program, or what is to be treated as one. */
export interface Victim {
  crash(): Promise<void> | undefined;
  pause(): void;
  resume(): void;
}

export interface Blow {
  readonly cluster: TestCluster;
  readonly storm: { strike(): unknown };
  readonly random: RandomSource;
  readonly programs: readonly Victim[];
  /** What users do meanwhile; `n` grows. */
  readonly edit: (n: number) => Promise<unknown>;
  /** Moves time. @default the cluster's clock */
  readonly pass?: (seconds: number) => Promise<void>;
  /** @default 10 */
  readonly rounds?: number;
}

/** Each round: an edit, a trouble, a program or the server that is killed, a program that is paused, and some seconds of time. */
export async function blow({ cluster, storm, random, programs, edit, rounds = 10, ...rest }: Blow): Promise<void> {
  const pass = rest.pass ?? ((seconds) => cluster.clock.advance(seconds * 1000));
  const chance = (of: number): boolean => random.next() < of;
  const one = (): Victim | undefined => programs[randomInt(programs.length, random)];
  for (let round = 0; round < rounds; round++) {
    if (chance(0.6)) await edit(round);
    if (chance(0.7)) storm.strike();
    if (chance(0.15)) await one()?.crash();
    if (chance(0.1)) await cluster.killServer();
    const paused = chance(0.2) ? one() : undefined;
    paused?.pause();
    await pass(1 + randomInt(40, random));
    paused?.resume();
    await pass(1 + randomInt(10, random));
  }
}

/** Minute by minute, until it is done and stays so: a silent watch is noticed after ten and a half minutes at most. */
export async function until(isDone: () => Promise<boolean>, passMinute: () => Promise<void>): Promise<void> {
  for (let [minutes, done] = [0, 0]; minutes < 14 && done < 2; minutes++) {
    await passMinute();
    done = (await isDone()) ? done + 1 : 0;
  }
}

/** A manager that ends by itself, as one that lost its Lease does, is started again as its pod would be. */
export function supervise(manager: Manager, restart: () => unknown): RunningProgram {
  let isStopped = false;
  manager.start().catch(() => void (isStopped || restart()));
  return {
    stop() {
      isStopped = true;
      return manager.stop();
    },
  };
}
