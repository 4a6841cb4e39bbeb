import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import { startControlPlane } from "../control-plane/control-plane.js";
import { makeMachines } from "../control-plane/machines.js";
import { machineCount } from "../faults/plan-faults.js";
import { machineLoad, print, printProblems, verdict } from "../progress/print-progress.js";
import { makeOtherBuild, releases } from "./other-build.js";
import { roll, untilServing } from "./roll.js";

/** All servers replaced, and replaced again. Answers an exit code. */
export async function runRolling({ keep }: { readonly keep: boolean }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-fault-histories-"));
  const plane = await startControlPlane(folder, await makeMachines(machineCount));
  await Promise.all(plane.machines.map(({ url }) => untilServing(plane, url, releases.own)));
  const other = makeOtherBuild(join(folder, "other-build"));
  const passes = [
    { ending: "stop", launcher: other, release: releases.other },
    { ending: "kill", launcher: ownLauncher, release: releases.own },
  ] as const;
  let wrong = 0;
  for (const pass of passes) {
    const { history, sentAgain, problems } = await roll(plane, { ...pass, folder });
    const events = history.watches.reduce((sum, watch) => sum + watch.events.length, 0);
    print(
      `${pass.ending}, then ${pass.release}: ${history.operations.length} operations, ${sentAgain} sent again, ${history.watches.length} watches with ${events} events; load ${machineLoad()}: ${verdict(problems)}`,
    );
    printProblems(problems);
    if (problems.length > 0) wrong++;
    if (problems.length > 0 || keep) writeFileSync(join(folder, `${pass.ending}.json`), JSON.stringify(history));
  }
  await plane.stop();
  if (wrong > 0 || keep) print(`histories and logs are in ${folder}`);
  else rmSync(folder, { recursive: true });
  return wrong === 0 ? 0 : 1;
}
