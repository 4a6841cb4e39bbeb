import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "../churn/eventually.js";

/** The command line of a process of a machine; blanks are between words. */
export interface MachineProgram {
  readonly title: string;
  isIt(commandLine: string): boolean;
}

/** Pure: what runs on a machine of `up`, in the order in which it is replaced. */
export const programsOf = (node: string): readonly MachineProgram[] => [
  {
    title: `containerd of ${node}`,
    isIt: (line) => /^\S*containerd /.test(line) && line.includes(`/machines/${node}/`),
  },
  {
    title: `node process of ${node}`,
    isIt: (line) => line.includes(" node run ") && line.includes(`--hostname-override=${node} `),
  },
];

/** Ends a program as an upgrade does; resolves when its successor runs. Only in namespaces of its own: it looks at all processes. */
export async function replaceProgram({ title, isIt }: MachineProgram): Promise<void> {
  const [before] = processesBy(isIt);
  if (before === undefined) throw new Error(`${title} does not run`);
  process.kill(before, "SIGTERM");
  await eventually(async () => {
    const now = processesBy(isIt);
    return now.length === 1 && !now.includes(before) ? undefined : `${title} was not started again`;
  });
}

function processesBy(isIt: MachineProgram["isIt"]): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return isIt(readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")) ? [Number(name)] : [];
    } catch {
      return []; // it has just ended
    }
  });
}
