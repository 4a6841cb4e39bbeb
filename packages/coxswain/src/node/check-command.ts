import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { findProblems, readPreflightFacts } from "@coxswain/machines";
import { systemClock } from "@coxswain/runtime/clock";
import { clusterCommandFlags } from "../up/cluster-command.js";

const { help } = clusterCommandFlags;

/** Prints what keeps this machine from having real nodes. Answers 1 where something does. */
export async function runNodeCheck(args: readonly string[]): Promise<number> {
  const flags = { help };
  if (parseOnlyFlags(flags, args).kind === "help") {
    const description =
      "Checks what real nodes (coxswain up --runtime containerd, coxswain node run) need of this machine.";
    process.stdout.write(formatHelp(flags, { usage: "coxswain node check", description }));
    return 0;
  }
  const problems = findProblems(await readPreflightFacts(systemClock));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length === 0) process.stdout.write("this machine can have real nodes\n");
  return problems.length === 0 ? 0 : 1;
}
