import { parseArgs } from "node:util";

export interface Arguments {
  readonly list: string;
  readonly only: RegExp | undefined;
  readonly server: "ours" | "upstream";
  readonly retryFailed: boolean;
  readonly fresh: boolean;
  readonly procs: number;
  readonly nice: boolean;
  /** The launcher of another build of ours. */
  readonly coxswain: string | undefined;
}

export const usage = `npm run conformance -- <list> [flags]

Runs tests of Kubernetes' official suite against a server, with upstream's controller manager beside it. What passed or
failed is remembered, and a run that was stopped goes on where it was.

  --only REGEXP      only tests whose name fits
  --server SERVER    ours (default) or upstream, which must pass whatever we are to pass
  --retry-failed     also run again what did not pass before
  --fresh            forget what was remembered
  --procs N          tests side by side, at least 2 (default 2)
  --nice             give way to other work of the machine
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)

Lists: `;

/** Throws an error with a sentence for whoever typed it. */
export function parseArguments(argv: readonly string[], lists: readonly string[]): Arguments | "help" {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      server: { type: "string", default: "ours" },
      "retry-failed": { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
      procs: { type: "string", default: "2" },
      nice: { type: "boolean", default: false },
      coxswain: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const [list, ...more] = positionals;
  if (list === undefined || more.length > 0 || !lists.includes(list))
    throw new Error(`name one list: ${lists.join(", ")}`);
  const { server } = values;
  if (server !== "ours" && server !== "upstream") throw new Error(`--server is ours or upstream, not ${server}`);
  const procs = Number(values.procs);
  if (!Number.isInteger(procs) || procs < 2) throw new Error(`--procs is a number from 2 on, not ${values.procs}`);
  return {
    list,
    only: values.only === undefined ? undefined : new RegExp(values.only),
    server,
    retryFailed: values["retry-failed"],
    fresh: values.fresh,
    procs,
    nice: values.nice,
    coxswain: values.coxswain,
  };
}
