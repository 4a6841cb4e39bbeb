import { createSeededRandom, type RandomSource, randomInt } from "@coxswain/runtime/random";
import { CauseCheck } from "@coxswain/tools/causes";
import { beforeAll, describe, expect, it } from "vitest";
import { allControllers } from "../all-controllers.js";
import { type Outcome, runScenario } from "./run-scenario.test.support.js";
import { scenarios } from "./scenarios.test.support.js";

/**
 * Kills the process of the controllers between two writes and starts it again, as often as a schedule has it. `npm run tool -- restarts`
 * (COXSWAIN_RESTARTS=all) kills it once before every single write, and by many schedules; otherwise by one schedule with many kills.
 */
const isComplete = process.env["COXSWAIN_RESTARTS"] === "all";
const seed = process.env["COXSWAIN_SEED"] ?? "restart";
const bySchedule = Array.from({ length: isComplete ? 10 : 1 }, (_, index) => `${seed}-${index}`);
const ofSingleKills = isComplete ? [0, 1, 2, 3] : [];

/** These write nothing but Events. */
const withoutWrites = new Set(["selinux-warning-controller"]);

it("a scenario exists for every controller that writes", () => {
  const covered = new Set(scenarios.flatMap(({ controllers }) => controllers.map(({ name }) => name)));
  const missing = allControllers
    .map(({ name }) => name)
    .filter((name) => !covered.has(name) && !withoutWrites.has(name));
  expect(missing).toEqual([]);
});

/** Of all scenarios, without kills. */
const causeCheck = new CauseCheck();

describe("controllers that are killed between two writes bring about the same", { timeout: 600_000 }, () => {
  for (const scenario of scenarios)
    describe(scenario.name, () => {
      let expected: Outcome;
      beforeAll(async () => {
        expected = await runScenario(scenario, [], causeCheck);
        if (expected.writes === 0) throw new Error("a scenario without writes shows nothing");
      }, 600_000);
      const check = async (schedule: readonly number[]): Promise<void> => {
        // Its requests name their audit ids as those of the first run do: the server draws no random numbers for them.
        const { state, created, kills } = await runScenario(scenario, schedule, new CauseCheck());
        expect(kills).toBeGreaterThan(0);
        const lines = [
          ...expected.state.filter((line) => !state.includes(line)).map((line) => `missing ${line}`),
          ...state.filter((line) => !expected.state.includes(line)).map((line) => `unexpected ${line}`),
        ];
        expect(lines.length, `kills after ${schedule.join(", ")} writes\n${lines.join("\n")}`).toBe(0);
        expect(state.length).toBe(expected.state.length);
        for (const resource of scenario.recreated ?? []) created[resource] = expected.created[resource] ?? 0;
        expect(created).toEqual(expected.created);
      };
      for (const name of bySchedule)
        it(`by schedule ${name}`, () => check(lives(createSeededRandom(`${name}-${scenario.name}`), expected.writes)));
      for (const part of ofSingleKills)
        it(`before single writes, ${part + 1} of ${ofSingleKills.length}`, async () => {
          for (let write = part; write < expected.writes; write += ofSingleKills.length) await check([write]);
        });
    });
});

it("the writes of all scenarios are linked to the work that made them: none wrongly, 99 of 100 exactly", () => {
  const { writes, exact, wrong, others } = causeCheck;
  console.log(`${writes} writes of controllers, ${exact} linked exactly`);
  expect(wrong).toEqual([]);
  expect(writes).toBeGreaterThan(500);
  expect(exact / writes < 0.99 ? others : []).toEqual([]);
});

/** The first life ends before the scenario does; together they allow for twice the writes that are needed without kills, in some thirty lives. */
function lives(random: RandomSource, writes: number): number[] {
  const longest = Math.max(4, Math.ceil(writes / 8));
  const all = [randomInt(Math.min(3, writes), random)];
  for (let sum = 0; sum < 2 * writes; sum += all.at(-1) ?? 0) all.push(randomInt(longest, random));
  return all;
}
