import { setTimeout as sleep } from "node:timers/promises";
import { beginAttack } from "./attack-in-thread.js";
import { type Observations, observe } from "./bystander.js";
import type { Holdings, Victim } from "./victim.js";

export interface Outcome extends Observations {
  readonly before: Holdings;
  readonly after: Holdings;
  /** What the attack got that it should not have, and what the server still holds that it did not hold before; empty where nothing is left behind. */
  readonly leaks: readonly string[];
}

/** Memory that a process keeps for its next requests, and what it compiled, is no leak. */
const slackMb = 400;

/** Lets a client do its worst while another asks, until `isOver`, and looks at what is left of it. */
export async function withstand(victim: Victim, attack: string, isOver: (gets: number) => boolean): Promise<Outcome> {
  const before = await victim.holdings();
  const end = beginAttack({ attack, target: victim.hostile });
  const observations = await observe(victim.bystander, victim.waitedMs, isOver);
  const loot = await end();
  let after = await victim.holdings();
  // Connections that are cut are noticed one after another.
  for (let tries = 0; tries < 200 && leaksOf(before, after).length > 0; tries++) {
    await sleep(50);
    after = await victim.holdings();
  }
  return { ...observations, before, after, leaks: [...loot, ...leaksOf(before, after)] };
}

function leaksOf(before: Holdings, after: Holdings): string[] {
  const more = (what: keyof Holdings, slack: number): string[] =>
    after[what] > before[what] + slack ? [`${what}: ${before[what]} before, ${after[what]} after`] : [];
  return [
    ...more("seats", 0),
    ...more("executing", 0),
    ...more("files", 3),
    ...more("timers", 5),
    ...more("residentMb", slackMb),
  ];
}
