import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue, quantityValue } from "@coxswain/apimachinery/quantity";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { RandomSource } from "@coxswain/runtime/random";
import type { CachedPod } from "../objects/cached-pod.js";
import { rulePrefix } from "../objects/rule-prefix.js";

/** How a simulated container behaves, beside its command. Times in milliseconds. */
export interface Behaviour {
  readonly sandboxDelayMs: number;
  readonly pullDelayMs: number;
  readonly startDelayMs: number;
  /** From the start on, network probes fail for this long. */
  readonly readyAfterMs: number;
  /** After this long network probes fail again; undefined: never. */
  readonly unhealthyAfterMs: number | undefined;
  /** The container exits after this long; undefined: when its command ends. */
  readonly runForMs: number | undefined;
  readonly exitCode: number | undefined;
  readonly exitReason: string | undefined;
  /** From the stop signal to the exit; undefined: the signal is ignored and the container is killed when its grace is over. */
  readonly stopDelayMs: number | undefined;
  readonly stopExitCode: number;
  /** The step that fails, and its message. */
  readonly fail: FailingStep | undefined;
  readonly failMessage: string | undefined;
  /** Usage in thousandths of a CPU and in bytes; undefined: derived from the requests. */
  readonly cpuMillis: number | undefined;
  readonly memoryBytes: number | undefined;
  /** Files, in bytes and in number, and processes; undefined: next to none. */
  readonly storageBytes: number | undefined;
  readonly inodes: number | undefined;
  readonly processes: number | undefined;
  /** Those that answer; undefined: all do. */
  readonly ports: readonly number[] | undefined;
  /** What HTTP requests are answered with; undefined: a page that describes the request. */
  readonly answer: string | undefined;
  readonly answerStatus: number | undefined;
  /** What the container prints when it starts; a path of its own files, or the text. */
  readonly logs: string | undefined;
  readonly logsFile: string | undefined;
}

export const failingSteps = ["sandbox", "pull", "create", "start"] as const;
export type FailingStep = (typeof failingSteps)[number];

/** What pods do without an annotation: the texts of annotations by their short names. */
export type BehaviourRules = Readonly<Partial<Record<RuleName, string>>>;

export const ruleNames = [
  "sandbox-delay",
  "pull-delay",
  "start-delay",
  "ready-after",
  "unhealthy-after",
  "run-for",
  "exit-code",
  "exit-reason",
  "stop-delay",
  "stop-exit-code",
  "fail",
  "fail-message",
  "cpu",
  "memory",
  "ephemeral-storage",
  "inodes",
  "processes",
  "ports",
  "answer",
  "answer-status",
  "logs",
  "logs-file",
] as const;
export type RuleName = (typeof ruleNames)[number];

export interface BehaviourFacts {
  readonly pod: CachedPod;
  /** Undefined: of the pod as a whole. */
  readonly container?: string;
  readonly rules: BehaviourRules;
  /** Those of its image. */
  readonly imageRules?: readonly BehaviourRules[];
  /** For ranges such as "1s-5s". */
  readonly random: RandomSource;
}

/** Killed by the stop signal: 128 + SIGTERM. */
const stoppedBySignal = 143;

/**
 * Reads the rules of one container: the annotation `simulation.coxswain.dev/<rule>.<container>`, else
 * `simulation.coxswain.dev/<rule>`, else the rules of its image, else what the process was configured with. Texts that make no sense are ignored.
 */
export function planBehaviour({ pod, container, rules, imageRules = [], random }: BehaviourFacts): Behaviour {
  const annotations = pod.metadata?.annotations;
  const textOf = (rule: RuleName): string | undefined =>
    (container === undefined ? undefined : getOwn(annotations, `${rulePrefix}${rule}.${container}`)) ??
    getOwn(annotations, rulePrefix + rule) ??
    imageRules.find((one) => one[rule] !== undefined)?.[rule] ??
    rules[rule];
  const durationOf = (rule: RuleName): number | undefined => readDuration(textOf(rule), random);
  const integerOf = (rule: RuleName): number | undefined => {
    const value = Number(textOf(rule) ?? Number.NaN);
    return Number.isInteger(value) && value >= 0 && value <= 255 ? value : undefined;
  };
  const amountOf = (rule: RuleName, read: (text: string) => number): number | undefined => {
    try {
      const text = textOf(rule);
      return text === undefined ? undefined : read(text);
    } catch {
      return undefined; // no quantity
    }
  };
  const fail = textOf("fail");
  return {
    sandboxDelayMs: durationOf("sandbox-delay") ?? 0,
    pullDelayMs: durationOf("pull-delay") ?? 0,
    startDelayMs: durationOf("start-delay") ?? 0,
    readyAfterMs: durationOf("ready-after") ?? 0,
    unhealthyAfterMs: durationOf("unhealthy-after"),
    runForMs: durationOf("run-for"),
    exitCode: integerOf("exit-code"),
    exitReason: textOf("exit-reason"),
    stopDelayMs: textOf("stop-delay") === "never" ? undefined : (durationOf("stop-delay") ?? 0),
    stopExitCode: integerOf("stop-exit-code") ?? stoppedBySignal,
    fail: failingSteps.find((step) => step === fail),
    failMessage: textOf("fail-message"),
    cpuMillis: amountOf("cpu", quantityMilliValue),
    memoryBytes: amountOf("memory", quantityValue),
    storageBytes: amountOf("ephemeral-storage", quantityValue),
    inodes: amountOf("inodes", quantityValue),
    processes: amountOf("processes", quantityValue),
    ports: readPorts(textOf("ports")),
    answer: textOf("answer"),
    answerStatus: readStatus(textOf("answer-status")),
    logs: textOf("logs"),
    logsFile: textOf("logs-file"),
  };
}

/** Lists of ports are the same only where there are none. */
export function isSameBehaviour(a: Behaviour, b: Behaviour): boolean {
  for (const member in a) if (a[member as keyof Behaviour] !== b[member as keyof Behaviour]) return false;
  return true;
}

/** Whether a rule states what the container uses of what a node may run out of. */
export const statesUsage = ({ memoryBytes, storageBytes, inodes, processes }: Behaviour): boolean =>
  (memoryBytes ?? storageBytes ?? inodes ?? processes) !== undefined;

/** "80,8443"; an empty text: none. */
const readPorts = (text: string | undefined): readonly number[] | undefined =>
  text?.split(",").flatMap((part) => (/^ *\d{1,5} *$/.test(part) ? [Number(part)] : []));

const readStatus = (text: string | undefined): number | undefined =>
  text !== undefined && /^[2-5]\d\d$/.test(text) ? Number(text) : undefined;

/** "5s", "1m30s", or a range to choose from: "1s-5s". */
function readDuration(text: string | undefined, random: RandomSource): number | undefined {
  if (text === undefined) return undefined;
  const dash = text.indexOf("-", 1);
  const from = parseDurationMs(dash < 0 ? text : text.slice(0, dash));
  const to = dash < 0 ? from : parseDurationMs(text.slice(dash + 1));
  if (from === undefined || to === undefined || from < 0 || to < from) return undefined;
  return to === from ? from : from + random.next() * (to - from);
}
