import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "./control-plane/control-plane.js";
import { makeMachines } from "./control-plane/machines.js";
import { type Fault, machineCount, planFaults } from "./faults/plan-faults.js";
import { machineLoad, print, printProblems, verdict } from "./progress/print-progress.js";
import { runSeed, type SeedResult } from "./run-seed.js";

export interface SeedsOptions {
  readonly first: number;
  readonly last: number;
  /** Of another build. @default the one in this checkout */
  readonly launcher: string | undefined;
  /** Histories and logs, also of seeds that were accepted. */
  readonly keep: boolean;
}

/** One seed after the other, on one control plane as long as all is well. Answers an exit code. */
export async function runSeeds({ first, last, launcher, keep }: SeedsOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-fault-histories-"));
  const machines = await makeMachines(machineCount);
  let plane: ControlPlane | undefined;
  let wrong = 0;
  let failures = 0;
  const total: Record<string, number> = {};
  const close = async (): Promise<void> => {
    for (const { server } of plane?.machines ?? []) failures += server.failures;
    await plane?.stop();
    plane = undefined;
  };
  for (let seed = first; seed <= last; seed++) {
    const faults = planFaults(seed);
    plane ??= await startControlPlane(join(folder, `from-${seed}`), machines, launcher);
    const began = performance.now();
    const result = await runSeed(plane, seed, faults).catch(
      (error: Error): SeedResult => ({
        history: { operations: [], watches: [] },
        commits: [],
        healedMs: 0,
        problems: [`the run failed: ${error.stack}`],
      }),
    );
    const { problems } = result;
    const counts = countsOf(result);
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    print(
      `seed ${seed}: ${describeFaults(faults)}: ${describeCounts(counts)}; well after ${Math.round(result.healedMs)} ms; ${seconds} s, load ${machineLoad()}: ${verdict(problems)}`,
    );
    printProblems(problems);
    if (problems.length > 0 || keep) {
      mkdirSync(join(folder, `seed-${seed}`));
      writeFileSync(join(folder, `seed-${seed}/history.json`), JSON.stringify(result, undefined, 1));
    }
    if (problems.length === 0) continue;
    // What went wrong may be so still: the next seed has servers of its own, and these leave their logs.
    wrong++;
    await close();
  }
  await close();
  print(
    `${last - first + 1} seeds, ${wrong} with problems; ${describeCounts(total)}; API servers ended by themselves ${failures} times`,
  );
  if (wrong > 0 || keep) print(`histories and logs are in ${folder}`);
  else rmSync(folder, { recursive: true });
  return wrong === 0 ? 0 : 1;
}

function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ kind, machine }) => `${kind} ${machine + 1}`).join(", ");
}

type Counts = Readonly<Record<string, number>>;

function countsOf({ history: { operations, watches }, commits }: SeedResult): Counts {
  const withOutcome = (kind: string): number => operations.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    operations: operations.length,
    unknown: withOutcome("unknown"),
    refused: withOutcome("refused"),
    commits: commits.length,
    watches: watches.length,
    events: watches.reduce((sum, { events }) => sum + events.length, 0),
  };
}

function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
