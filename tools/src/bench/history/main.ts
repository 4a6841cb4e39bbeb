// npm run bench -- history [--rounds 5] [load] [memory] [start] [rollout]
// What history costs: by turns with and without it, and the figures of docs/history.md that a cluster is needed for.
import { parseArgs } from "node:util";
import { stopOnSignal } from "../../upstream/index.js";
import { formatFigures, type HistoryFigure } from "./figure.js";
import { measureLoad, measureMemory } from "./load.js";
import { measureRollout, measureStart } from "./rollout.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
});
const rounds = Number(options.rounds);
const abort = new AbortController();
stopOnSignal(async () => abort.abort(new Error("stopped")));

const parts: readonly [name: string, measure: () => Promise<HistoryFigure[]>][] = [
  ["rollout", () => measureRollout(abort.signal)],
  ["start", () => measureStart(2 * rounds)],
  ["load", () => measureLoad(rounds, abort.signal)],
  ["memory", () => measureMemory(Math.ceil(rounds / 2), abort.signal)],
];
const figures: HistoryFigure[] = [];
for (const [name, measure] of parts)
  if (positionals.length === 0 || positionals.includes(name)) figures.push(...(await measure()));
console.log(formatFigures(figures));
