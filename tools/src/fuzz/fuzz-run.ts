import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { WorkCounter } from "../work/index.js";
import type { FuzzTarget } from "./fuzz-target.js";
import { mutate } from "./mutate.js";

export interface Finding {
  readonly input: Uint8Array;
  readonly error: unknown;
}

export interface FuzzRunOptions {
  readonly random: RandomSource;
  /** Inputs that earlier runs kept. */
  readonly corpus?: readonly Uint8Array[];
  /** Inputs that reach new code are kept and changed further. @default none: only the seeds are changed */
  readonly counter?: WorkCounter;
  /** Asked before each execution. */
  readonly isOver: (executions: number) => boolean;
  /** Before each execution: what is run may never return. */
  readonly onExecution?: (input: Uint8Array) => void;
  readonly onKept?: (input: Uint8Array) => void;
  /** Goes on after each finding, up to this many. @default 1 */
  readonly maxFindings?: number;
}

export interface FuzzResult {
  readonly executions: number;
  readonly accepted: number;
  readonly corpus: readonly Uint8Array[];
  /** Blocks of code that were reached; 0 without a counter. */
  readonly blocks: number;
  readonly findings: readonly Finding[];
}

/** Inputs that are run before the counter is read: reading walks the whole heap and takes as long as hundreds of executions. */
const batchSize = 256;

/** The identity of a finding: the message and where it came from. Numbers and quoted texts in it may differ from input to input. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, first = ""] = (error.stack ?? "").slice(error.stack?.indexOf("\n    at ") ?? 0).split("\n");
  return `${error.message.replaceAll(/\d+|"[^"]*"/g, "")} ${first}`;
}

export async function runTarget(target: FuzzTarget, options: FuzzRunOptions): Promise<FuzzResult> {
  const { random, counter, isOver, onExecution, onKept, maxFindings = 1 } = options;
  const corpus = [...target.seeds, ...(options.corpus ?? [])];
  const words = (target.words ?? []).map((word) => (typeof word === "string" ? Buffer.from(word) : word));
  const maxLength = target.maxLength ?? 4096;
  /** Blocks of code. */
  const reached = new Set<string>();
  const findings: Finding[] = [];
  let executions = 0;
  let accepted = 0;

  const execute = async (input: Uint8Array): Promise<void> => {
    executions += 1;
    onExecution?.(input);
    try {
      const outcome = target.run(input);
      if (typeof outcome === "boolean" ? outcome : await outcome) accepted += 1;
    } catch (error) {
      const text = errorText(error);
      if (!findings.some((finding) => errorText(finding.error) === text)) findings.push({ input, error });
    }
  };
  /** Whether a block ran since the last reading that had never run before. */
  const reachedNewCode = (remember: boolean): boolean => {
    let isNew = false;
    for (const block of counter?.take().blocks.keys() ?? []) {
      isNew ||= !reached.has(block);
      if (remember) reached.add(block);
    }
    return isNew;
  };
  /** Runs inputs again, half of them at a time, to find those that reached new code. */
  const keepNew = async (batch: readonly Uint8Array[]): Promise<void> => {
    for (const input of batch) await execute(input);
    if (!reachedNewCode(batch.length === 1)) return;
    if (batch.length === 1) {
      corpus.push(batch[0]!);
      onKept?.(batch[0]!);
      return;
    }
    const middle = batch.length >> 1;
    await keepNew(batch.slice(0, middle));
    await keepNew(batch.slice(middle));
  };

  for (const input of corpus) {
    if (isOver(executions) || findings.length >= maxFindings) break;
    await execute(input);
  }
  reachedNewCode(true);
  while (!isOver(executions) && findings.length < maxFindings) {
    const batch: Uint8Array[] = [];
    while (batch.length < batchSize && !isOver(executions) && findings.length < maxFindings) {
      // Newer ones are chosen more often: they lead to what is new.
      const parent = corpus[Math.max(randomInt(corpus.length, random), randomInt(corpus.length, random))] as Uint8Array;
      const input = mutate(parent, { random, others: corpus, words, maxLength });
      batch.push(input);
      await execute(input);
    }
    if (counter !== undefined && reachedNewCode(false)) await keepNew(batch);
  }
  return { executions, accepted, corpus, blocks: reached.size, findings };
}
