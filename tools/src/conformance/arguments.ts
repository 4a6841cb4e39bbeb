import { parseArgs } from "node:util";

/** Whose components the tests run against; undefined: `coxswain up` alone. */
export interface Parts {
  readonly apiserver: Whose;
  readonly controllers: Whose;
  readonly scheduler: Whose;
}
export type Whose = "ours" | "upstream";

export interface Arguments {
  readonly list: string;
  readonly only: RegExp | undefined;
  readonly parts: Parts | undefined;
  readonly retryFailed: boolean;
  readonly fresh: boolean;
  readonly procs: number;
  readonly nice: boolean;
  /** The launcher of another build of ours. */
  readonly coxswain: string | undefined;
}

export const usage = `npm run tool -- conformance <list> [flags]

Runs tests of Kubernetes' official suite against "coxswain up", or, where a part is named, against an API server with a
controller manager and, where tests need nodes, a scheduler and KWOK. What passed or failed is remembered, and a run that
was stopped goes on where it was.

  --only REGEXP      only tests whose name fits
  --apiserver WHOSE, --controllers WHOSE, --scheduler WHOSE
                     ours or upstream, which must pass whatever we are to pass (default where another part is named)
  --retry-failed     also run again what did not pass before
  --fresh            forget what was remembered
  --procs N          tests side by side, at least 2 (default 2)
  --nice             give way to other work of the machine
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)

Lists: `;

/** Throws an error whose message is for the user. */
export function parseArguments(argv: readonly string[], lists: readonly string[]): Arguments | "help" {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      apiserver: { type: "string" },
      controllers: { type: "string" },
      scheduler: { type: "string" },
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
  const whose = (part: keyof Parts): Whose => {
    const value = values[part] ?? "upstream";
    if (value !== "ours" && value !== "upstream") throw new Error(`--${part} is ours or upstream, not ${value}`);
    return value;
  };
  const isNamed = [values.apiserver, values.controllers, values.scheduler].some((value) => value !== undefined);
  const procs = Number(values.procs);
  if (!Number.isInteger(procs) || procs < 2) throw new Error(`--procs is a number from 2 on, not ${values.procs}`);
  return {
    list,
    only: values.only === undefined ? undefined : new RegExp(values.only),
    parts: isNamed
      ? { apiserver: whose("apiserver"), controllers: whose("controllers"), scheduler: whose("scheduler") }
      : undefined,
    retryFailed: values["retry-failed"],
    fresh: values.fresh,
    procs,
    nice: values.nice,
    coxswain: values.coxswain,
  };
}

/** For a folder: results of different parts are kept apart. */
export const nameOfParts = (parts: Parts | undefined): string =>
  parts ? `${parts.apiserver}-${parts.controllers}-${parts.scheduler}` : "up";
