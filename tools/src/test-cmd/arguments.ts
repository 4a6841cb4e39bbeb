import { parseArgs } from "node:util";

export interface Arguments {
  /** As they were typed; none: all of them. */
  readonly functions: readonly string[];
  readonly server: "ours" | "upstream";
  readonly controllers: "ours" | "upstream";
  /** Ours keeps and serves history, which changes no outcome. */
  readonly history: boolean;
  readonly all: boolean;
  readonly retryFailed: boolean;
  readonly fresh: boolean;
  readonly coxswain: string | undefined;
}

export const usage = `npm run tool -- test-cmd [function …] [flags]

Runs upstream's kubectl scripts (test/cmd) with kubectl of the same release against a server, with a controller
manager beside it. What passed or failed is remembered, and a run that was stopped goes on where it was. Functions are
named as in the scripts, "pod" for "run_pod_tests"; those that are named run in any case.

  --all              also run those that cannot pass yet
  --server SERVER    ours (default) or upstream, which must pass whatever we are to pass
  --controllers WHOSE
                     whose controller manager stands beside it: ours or upstream (default)
  --history          our server keeps history; outcomes are remembered apart
  --retry-failed     also run again what did not pass before
  --fresh            forget what was remembered
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)`;

/** Throws an error whose message is for the user. */
export function parseArguments(argv: readonly string[]): Arguments | "help" {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      server: { type: "string", default: "ours" },
      controllers: { type: "string", default: "upstream" },
      history: { type: "boolean", default: false },
      "retry-failed": { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
      coxswain: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const { server, controllers, history } = values;
  if (server !== "ours" && server !== "upstream") throw new Error(`--server is ours or upstream, not ${server}`);
  if (controllers !== "ours" && controllers !== "upstream")
    throw new Error(`--controllers is ours or upstream, not ${controllers}`);
  if (history && server === "upstream") throw new Error("--history is for our server");
  return {
    functions: positionals,
    server,
    controllers,
    history,
    all: values.all,
    retryFailed: values["retry-failed"],
    fresh: values.fresh,
    coxswain: values.coxswain,
  };
}
