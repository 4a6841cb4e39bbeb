import { Budget } from "../budget.js";
import type { Session } from "./cgroup.js";
import { interpreter, ownState, run, runFirst, toItsEnd } from "./interpret.js";
import type { ShellProcess } from "./shell-process.js";
import type { ShellNode } from "./syntax.js";
import { Variables } from "./variables.js";

export interface ProcessConfig {
  readonly environment: Iterable<readonly [string, string]>;
  readonly session: Session;
  readonly directory: string;
  readonly around: Pick<
    ShellProcess,
    | "files"
    | "runtime"
    | "hostname"
    | "container"
    | "terminal"
    | "traps"
    | "stdin"
    | "stdout"
    | "stderr"
    | "unknown"
    | "onSimulated"
  >;
}

/** Runs a command of a container, without a shell around it, to its exit code. Rejects when the session is ended from outside. */
export const runProcess = (argv: readonly string[], config: ProcessConfig): Promise<number> =>
  runNode(
    {
      type: "simple",
      assignments: [],
      redirects: [],
      words: argv.map((text) => [{ kind: "text", text, quoted: true }]),
    },
    config,
  );

/** The same for what was parsed already. */
export async function runNode(
  node: ShellNode,
  { environment, session, directory, around }: ProcessConfig,
): Promise<number> {
  const process: ShellProcess = {
    variables: new Variables(new Budget({})),
    functions: new Map(),
    ...ownState({
      state: {
        directory,
        lastExit: 0,
        endsOnFailure: false,
        isPipefail: false,
        onExit: "",
        jobs: new Map(),
        lastJob: 0,
      },
    }),
    session,
    budget: session.cgroup.memory,
    depth: 0,
    parameters: ["sh"],
    interpreter,
    ...around,
  };
  return runFirst(process, async (child) => {
    for (const [name, value] of environment) {
      child.variables.set(name, value);
      child.variables.export(name);
    }
    return toItsEnd(child, () => run(node, child));
  });
}
