import { parentPort, workerData } from "node:worker_threads";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createWorkCounter } from "../work/index.js";
import { openCorpus } from "./corpus-files.js";
import { runTarget } from "./fuzz-run.js";
import type { FuzzTargetFactory } from "./fuzz-target.js";
import type { WorkerInput, WorkerReport } from "./worker-messages.js";

const { target: name, seed, seconds, directory, isGuided, shared } = workerData as WorkerInput;
const current = new Uint8Array(shared.input);
const progress = new Int32Array(shared.progress);
const report = (message: WorkerReport): void => parentPort?.postMessage(message);

// Loaded behind the counter: scripts that are there before it have no blocks.
const counter = isGuided
  ? createWorkCounter((url) => url.includes("/packages/") || url.includes("/node_modules/"))
  : undefined;
const { targets } = (await import("./targets/index.js")) as { targets: Readonly<Record<string, FuzzTargetFactory>> };
const target = await targets[name]!();
const corpus = openCorpus(directory, name);
const end = performance.now() + seconds * 1000;

const result = await runTarget(target, {
  random: createSeededRandom(`${name} ${seed}`),
  corpus: corpus.read(),
  ...(counter === undefined ? {} : { counter }),
  isOver: () => performance.now() > end,
  maxFindings: 20,
  onExecution(input) {
    current.set(input.subarray(0, current.length));
    Atomics.store(progress, 1, input.length);
    Atomics.add(progress, 0, 1);
  },
  onKept: (input) => corpus.keep(input),
});
await target.stop?.();
report({
  executions: result.executions,
  accepted: result.accepted,
  corpus: result.corpus.length,
  blocks: result.blocks,
  findings: result.findings.map(({ input, error }) => ({
    file: corpus.keepFinding(input),
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  })),
});
