import { parseArgs } from "node:util";
import type { NodeParts, UpParts, Whose } from "../nodes/index.js";
import { needsRealNodes } from "./test-list.js";

/** Whose components the tests run against; undefined: `coxswain up` alone. */
export interface Parts {
  readonly apiserver: Whose;
  readonly controllers: Whose;
  readonly scheduler: Whose;
  /** What kube-apiserver keeps its data in: etcd, or our embedded store behind etcd's protocol. */
  readonly store: Whose;
}

export interface Arguments {
  readonly list: string;
  readonly only: RegExp | undefined;
  readonly parts: Parts | undefined;
  /** Of a cluster whose nodes run containers. */
  readonly nodeParts: NodeParts | undefined;
  /** Of `coxswain up --runtime containerd`. */
  readonly upParts: UpParts | undefined;
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
was stopped goes on where it was. The lists of stage 4 run on nodes with containers, in namespaces of their own (root; what they need
is made by "npm run tool -- prepare nodes"); with --up, on those of "coxswain up --runtime containerd".

  --only REGEXP      only tests whose name fits
  --apiserver WHOSE, --controllers WHOSE, --scheduler WHOSE
                     ours or upstream, which must pass whatever we are to pass (default where another part is named;
                     in stage 4 the default is ours, and of the last two whatever the API server is)
  --store WHOSE      of upstream's API server: upstream (default, etcd), or ours by etcd's protocol
  --kubelet WHOSE    stage 4: ours (default) or upstream
  --proxy WHOSE, --dns WHOSE
                     stage 4: ours, upstream or none (default: ours; none for the list without them)
  --up               any list: everything is ours, in "coxswain up --runtime containerd"
  --nodes N          stage 4 and --up: 1 to 6 (default 1; 3 with --up), in stage 4 in up to three zones
  --containerd V     stage 4 and --up: 2.4 (default) or debian
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
      store: { type: "string" },
      kubelet: { type: "string" },
      proxy: { type: "string" },
      dns: { type: "string" },
      up: { type: "boolean", default: false },
      nodes: { type: "string" },
      containerd: { type: "string" },
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
  const upParts = values.up ? upPartsFrom(list, values) : undefined;
  const nodeParts = !upParts && needsRealNodes(list) ? nodePartsFrom(list, values) : undefined;
  const parts = upParts || nodeParts ? undefined : partsFrom(values);
  const procs = Number(values.procs);
  if (!Number.isInteger(procs) || procs < 2) throw new Error(`--procs is a number from 2 on, not ${values.procs}`);
  return {
    list,
    only: values.only === undefined ? undefined : new RegExp(values.only),
    parts,
    nodeParts,
    upParts,
    retryFailed: values["retry-failed"],
    fresh: values.fresh,
    procs,
    nice: values.nice,
    coxswain: values.coxswain,
  };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;
const allWhose = ["ours", "upstream"] as const;

/** The value of a flag that has a few. @throws an error that names them */
function oneOf<T extends string>(values: Values, flag: string, allowed: readonly T[], fallback: T): T {
  const value = values[flag] ?? fallback;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Error(`--${flag} is ${allowed.join(" or ")}, not ${String(value)}`);
  return found;
}

const containerds = ["2.4", "debian"] as const;
const nodeCounts = ["1", "2", "3", "4", "5", "6"] as const;

function upPartsFrom(list: string, values: Values): UpParts {
  const part = ["apiserver", "controllers", "scheduler", "store", "kubelet", "proxy", "dns"].find(
    (one) => one in values,
  );
  if (part !== undefined) throw new Error(`--${part} is not for --up, where everything is ours`);
  return {
    containerd: oneOf(values, "containerd", containerds, "2.4"),
    nodes: Number(oneOf(values, "nodes", nodeCounts, "3")),
    ...(list === "stage-4-dual-stack" && { families: "dual-stack" }),
  };
}

function partsFrom(values: Values): Parts | undefined {
  const realOnly = ["kubelet", "proxy", "dns", "nodes", "containerd"].filter((flag) => values[flag] !== undefined);
  if (realOnly.length > 0)
    throw new Error(`--${realOnly[0]} is for the lists of stage 4, and --nodes and --containerd for --up`);
  const flags = ["apiserver", "controllers", "scheduler", "store"] as const;
  const whose = (flag: (typeof flags)[number]): Whose => oneOf(values, flag, allWhose, "upstream");
  if (flags.every((flag) => values[flag] === undefined)) return undefined;
  const [apiserver, store] = [whose("apiserver"), whose("store")];
  if (apiserver === "ours" && store === "ours") throw new Error("--store ours is for --apiserver upstream");
  return { apiserver, controllers: whose("controllers"), scheduler: whose("scheduler"), store };
}

function nodePartsFrom(list: string, values: Values): NodeParts {
  const apiserver = oneOf(values, "apiserver", allWhose, "ours");
  const service = list.includes("without-proxy-and-dns") ? "none" : "ours";
  const proxy = oneOf(values, "proxy", [...allWhose, "none"], service);
  return {
    apiserver,
    controllers: oneOf(values, "controllers", allWhose, apiserver),
    scheduler: oneOf(values, "scheduler", allWhose, apiserver),
    kubelet: oneOf(values, "kubelet", allWhose, "ours"),
    proxy,
    dns: oneOf(values, "dns", [...allWhose, "none"], service),
    containerd: oneOf(values, "containerd", containerds, "2.4"),
    nodes: Number(oneOf(values, "nodes", nodeCounts, "1")),
    ...(list.includes("network-policy") && proxy === "ours" && { policies: "policies" }),
  };
}

/** For a folder: results of different parts are kept apart. */
export function nameOfParts({ parts, nodeParts, upParts }: Pick<Arguments, "parts" | "nodeParts" | "upParts">): string {
  if (upParts) return `up-${Object.values(upParts).join("-")}`;
  if (nodeParts) return `nodes-${Object.values(nodeParts).join("-")}`;
  if (!parts) return "up";
  const { apiserver, controllers, scheduler, store } = parts;
  return `${apiserver}-${controllers}-${scheduler}${store === "ours" ? "-own-store" : ""}`;
}
