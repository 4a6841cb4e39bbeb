import { basename, relative } from "node:path";

/** What is known of the test that runs now, without a plugin: test runners keep it where their own `expect` finds it. */
export interface RunningTest {
  readonly runner: "vitest" | "jest" | "node";
  /** Relative to the working directory. */
  readonly file: string | undefined;
  readonly name: string | undefined;
  /** Undefined: the runner does not show it. */
  readonly hasFailed: boolean | undefined;
}

interface Expecting {
  getState?(): { readonly testPath?: string; readonly currentTestName?: string };
}

export function runningTest(): RunningTest {
  const globals = globalThis as unknown as Record<string | symbol, unknown>;
  const vitest = globals["__vitest_worker__"] as VitestWorker | undefined;
  if (vitest) {
    const state = (globals[Symbol.for("expect-global")] as Expecting | undefined)?.getState?.();
    // Its parts are joined by " > ", which -t does not know.
    const name = state?.currentTestName?.replaceAll(" > ", " ");
    return {
      runner: "vitest",
      file: shortPath(state?.testPath),
      name,
      hasFailed: vitest.current?.result?.state === "fail",
    };
  }
  const state =
    process.env["JEST_WORKER_ID"] === undefined ? undefined : (globals["expect"] as Expecting)?.getState?.();
  if (state)
    return {
      runner: "jest",
      file: shortPath(state.testPath),
      name: state.currentTestName,
      hasFailed: jestErrors(globals),
    };
  return { runner: "node", file: shortPath(process.argv[1]), name: undefined, hasFailed: undefined };
}

/** For titles. */
export function testName(): string {
  const { name, file } = runningTest();
  return name ?? (file === undefined ? "cluster" : basename(file));
}

interface VitestWorker {
  readonly current?: { readonly result?: { readonly state?: string } };
}

/** jest-circus keeps its state under a symbol of its own. */
function jestErrors(globals: Record<string | symbol, unknown>): boolean | undefined {
  const symbol = Object.getOwnPropertySymbols(globals).find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state = symbol && (globals[symbol] as { currentlyRunningTest?: { errors?: readonly unknown[] } } | undefined);
  const errors = state?.currentlyRunningTest?.errors;
  return errors && errors.length > 0;
}

const shortPath = (path: string | undefined): string | undefined => path && relative(process.cwd(), path);
