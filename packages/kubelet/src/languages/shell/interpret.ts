import { Budget, OverBudget } from "../budget.js";
import { commands } from "./commands.js";
import { expandPattern, expandText, expandWords } from "./expand.js";
import { resolvePath } from "./file-system.js";
import { parseScript } from "./parse.js";
import { matchesPattern } from "./pattern.js";
import { redirected } from "./redirect.js";
import { ShellFailure } from "./shell-failure.js";
import {
  charge,
  fail,
  type Interpreter,
  pace,
  ShellExit,
  ShellJump,
  type ShellProcess,
  type ShellState,
  textOf,
} from "./shell-process.js";
import { BrokenPipe, createPipe, emptyInput, type Pipe } from "./streams.js";
import { type ShellNode, ShellSyntaxError } from "./syntax.js";

/** Functions inside functions; bash refuses more than FUNCNEST, other shells run out of stack. */
export const maxDepth = 500;
/** What a call of a function takes of our memory, and what a process takes without its variables. */
const frameBytes = 4096;
const processBytes = 4096;
/** What starting a process takes, in bytes that are written in the same time. */
const forkCost = 2048;

const killedByKernel = 137;
const killedByPipe = 141;

/** Runs the first process of a command; what keeps it from starting is its end, too. */
export async function runFirst(process: ShellProcess, work: (child: ShellProcess) => Promise<number>): Promise<number> {
  try {
    return await runForked(process, work);
  } catch (error) {
    return exitCodeOf(error, process);
  }
}

/** @throws the error, where it is no way for a process to end */
function exitCodeOf(error: unknown, process: ShellProcess): number {
  if (error instanceof ShellExit || error instanceof ShellJump) return error.code;
  if (error instanceof BrokenPipe) return killedByPipe;
  const isOutOfMemory = error instanceof OverBudget && error.resource === "memory";
  const message = isOutOfMemory ? "out of memory" : (error as Error).message;
  if (isOutOfMemory) process.session.cgroup.isOutOfMemory = true;
  else if (!(error instanceof ShellSyntaxError || error instanceof ShellFailure)) throw error;
  try {
    fail(process, `sh: ${message}`);
  } catch (failure) {
    // Where the message goes there may be neither a reader nor memory for it.
    if (!(failure instanceof BrokenPipe || failure instanceof OverBudget)) throw failure;
  }
  return isOutOfMemory ? killedByKernel : error instanceof ShellFailure ? error.code : 2;
}

interface Fork {
  readonly child: ShellProcess;
  end(): void;
}

/** A new process: a copy of another one; what it sets and where it goes stays inside. @throws ShellFailure, OverBudget */
function fork(process: ShellProcess): Fork {
  const { session, variables, functions } = process;
  charge(process, forkCost + (variables.size + functions.size) * 16);
  const exit = session.fork();
  const budget = new Budget({}, session.cgroup.memory);
  const end = (): void => {
    budget.releaseAll();
    exit();
  };
  try {
    budget.hold(processBytes + functions.size * 64);
    const copies = { variables: variables.copy(budget), functions: new Map(functions) };
    return { child: { ...process, ...ownState(process), ...copies, budget }, end };
  } catch (error) {
    end();
    throw error;
  }
}

const subshell = (node: ShellNode, process: ShellProcess): Promise<number> =>
  runForked(process, (child) => run(node, child));

/** Parses a script and runs it in a process of its own. */
const runText = (text: string, process: ShellProcess): Promise<number> =>
  runForked(process, async (child) => {
    charge(child, text.length * 16);
    await pace(child);
    const script = parse(text, child);
    // What cannot be read is no different from a program that nobody knows.
    return script ? toItsEnd(child, () => run(script, child)) : child.unknown(["sh", "-c", text], child);
  });

/** A shell with what it does at its end, by `trap … EXIT`: it may end with another code. */
export async function toItsEnd(process: ShellProcess, work: () => Promise<number>): Promise<number> {
  const { state } = process;
  const code = await exitOf(work);
  const handler = state.onExit;
  if (handler === "") return code;
  state.onExit = "";
  state.lastExit = code;
  return exitOf(async () => {
    await interpreter.line(handler, process);
    return code;
  });
}

async function exitOf(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ShellExit) return error.code;
    throw error;
  }
}

function parse(text: string, process: ShellProcess): ShellNode | undefined {
  try {
    return parseScript(text, process.budget);
  } catch (error) {
    if (error instanceof ShellSyntaxError) return undefined;
    throw error;
  }
}

/** Runs something in a process of its own. What only concerns that process ends with it. @throws ShellFailure, OverBudget */
const runForked = async (process: ShellProcess, work: (child: ShellProcess) => Promise<number>): Promise<number> =>
  runChild(fork(process), work);

async function runChild({ child, end }: Fork, work: (child: ShellProcess) => Promise<number>): Promise<number> {
  try {
    return await work(child);
  } catch (error) {
    return exitCodeOf(error, child);
  } finally {
    end();
  }
}

/** A state of its own, and what depends on it. What a shell does at its end its subshells do not. */
export function ownState(from: { readonly state: ShellState }): Pick<ShellProcess, "state" | "resolve"> {
  const state = { ...from.state, onExit: "", jobs: new Map<number, Promise<number>>(), lastJob: 0 };
  return { state, resolve: (path) => resolvePath(path, state.directory) };
}

/** What a node costs without what it does, in bytes that are written in the same time. */
const nodeCost = 128;

export async function run(node: ShellNode, process: ShellProcess): Promise<number> {
  charge(process, nodeCost);
  const wait = pace(process);
  if (wait) await wait;
  switch (node.type) {
    case "list": {
      let code = 0;
      for (const { node: item, background } of node.items) {
        if (background) {
          startJob(item, process);
          code = 0;
        } else code = await run(item, process);
        process.state.lastExit = code;
      }
      return code;
    }
    case "and-or":
      return andOr(node, process);
    case "pipe":
      return node.parts.length === 1 && !node.negated
        ? run(node.parts[0] as ShellNode, process)
        : pipe(node.parts, node.negated, process);
    case "function":
      process.functions.set(node.name, node.body);
      return 0;
    case "simple":
      return ended(await simple(node, process), process);
    case "subshell":
      return ended(await redirected(node.redirects, process, (inner) => compound(node, inner)), process);
    default:
      return redirected(node.redirects, process, (inner) => compound(node, inner));
  }
}

/** Begins what a script does not wait for. @throws ShellFailure, OverBudget where there is no process for it */
function startJob(node: ShellNode, process: ShellProcess): void {
  const forked = fork({ ...process, stdin: emptyInput });
  const { state } = process;
  const killed = 137; // with the container
  const job = runChild(forked, (child) => run(node, child)).catch(() => killed);
  state.lastJob = Math.max(state.lastJob, firstJob - 1) + 1;
  state.jobs.set(state.lastJob, job);
  // Those that nobody waits for are forgotten, the oldest first.
  if (state.jobs.size > rememberedJobs) state.jobs.delete(state.jobs.keys().next().value as number);
}

/** The number of the first job; 1 is the container's own process. */
const firstJob = 8;
/** Of one shell. More processes than this there are not at once. */
const rememberedJobs = 256;

const tested = (process: ShellProcess): ShellProcess => ({ ...process, isTested: true });

/** How something ended: under `set -e` a failure that nobody looks at ends the shell. */
function ended(code: number, process: ShellProcess): number {
  if (code !== 0 && process.state.endsOnFailure && process.isTested !== true) throw new ShellExit(code);
  return code;
}

async function andOr({ first, rest }: Extract<ShellNode, { type: "and-or" }>, process: ShellProcess): Promise<number> {
  const last = rest.at(-1);
  let code = await run(first, tested(process));
  for (const each of rest) {
    process.state.lastExit = code;
    if ((code === 0) === (each.type === "and")) code = await run(each.node, each === last ? process : tested(process));
  }
  return code;
}

type Compound = Extract<ShellNode, { type: "group" | "subshell" | "if" | "loop" | "for" | "case" }>;

async function compound(node: Compound, process: ShellProcess): Promise<number> {
  switch (node.type) {
    case "group":
      return run(node.body, process);
    case "subshell":
      return subshell(node.body, process);
    case "if":
      for (const { test, body } of node.branches)
        if ((await run(test, tested(process))) === 0) return run(body, process);
      return node.otherwise ? run(node.otherwise, process) : 0;
    case "loop":
      return loop(process, async () => ((await run(node.test, tested(process))) === 0) !== node.until, node.body);
    case "for": {
      const words = node.words ? await expandWords(node.words, process) : process.parameters.slice(1);
      let at = 0;
      const next = async (): Promise<boolean> => {
        const word = words[at++];
        if (word === undefined) return false;
        process.variables.set(node.name, word);
        return true;
      };
      return loop(process, next, node.body);
    }
    case "case": {
      const word = await expandText(node.word, process);
      for (const { patterns, body } of node.arms)
        for (const pattern of patterns)
          if (await matchesPattern(word, await expandPattern(pattern, process), process)) return run(body, process);
      return 0;
    }
  }
}

async function loop(process: ShellProcess, next: () => Promise<boolean>, body: ShellNode): Promise<number> {
  let code = 0;
  while (await next()) {
    try {
      code = await run(body, process);
    } catch (error) {
      if (!(error instanceof ShellJump) || error.kind === "return") throw error;
      if (error.kind === "break") return 0;
    }
  }
  return code;
}

/** The parts run beside each other, each on the output of the one before; it is over when all of them are. */
async function pipe(parts: readonly ShellNode[], negated: boolean, process: ShellProcess): Promise<number> {
  const pipes = parts.slice(1).map(() => createPipe(process.session.cgroup.memory));
  const running = parts.map((part, i) =>
    parts.length === 1 ? run(part, tested(process)) : runPart(part, process, { before: pipes[i - 1], after: pipes[i] }),
  );
  // All are waited for, also where one fails because the container was killed.
  const ends = await Promise.allSettled(running);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  const codes = ends.map((end) => (end as PromiseFulfilledResult<number>).value);
  const failed = process.state.isPipefail ? codes.findLast((code) => code !== 0) : codes.at(-1);
  if (negated) return Number((failed ?? 0) === 0);
  return ended(failed ?? 0, process);
}

async function runPart(
  part: ShellNode,
  process: ShellProcess,
  { before, after }: { before: Pipe | undefined; after: Pipe | undefined },
): Promise<number> {
  try {
    return await subshell(part, {
      ...process,
      ...(before && { stdin: before.input }),
      ...(after && { stdout: after.output }),
    });
  } finally {
    before?.close();
    after?.end();
  }
}

async function simple(node: Extract<ShellNode, { type: "simple" }>, process: ShellProcess): Promise<number> {
  const argv = await expandWords(node.words, process);
  const [name] = argv;
  const values: [string, string][] = [];
  for (const { name: variable, value } of node.assignments) values.push([variable, await expandText(value, process)]);
  if (name === undefined) {
    for (const [variable, value] of values) process.variables.set(variable, value);
    return redirected(node.redirects, process, async () => (values.length > 0 ? process.state.lastExit : 0));
  }
  const before = values.map(([variable]) => [variable, process.variables.get(variable)] as const);
  for (const [variable, value] of values) {
    process.variables.set(variable, value);
    process.variables.export(variable);
  }
  try {
    return await redirected(node.redirects, process, (inner) => runCommand(argv, inner));
  } finally {
    for (const [variable, value] of before)
      if (value === undefined) process.variables.delete(variable);
      else process.variables.set(variable, value);
  }
}

/** Runs one command: a function of the script, a command of the shell, or what nobody knows. */
async function runCommand(argv: readonly string[], process: ShellProcess): Promise<number> {
  const [name = "", ...args] = argv;
  const body = process.functions.get(name);
  if (body) return callFunction(body, name, args, process);
  const path = name.includes("/") ? process.resolve(name) : undefined;
  const script = path === undefined ? undefined : process.files.read(path);
  if (path !== undefined && script) return runFile(argv, { path, script }, process);
  const command = commands.get(name.slice(name.lastIndexOf("/") + 1));
  return command ? command(args, process) : process.unknown(argv, process);
}

/** A file that is run by its path: a script of a shell, or what nobody knows. */
function runFile(
  argv: readonly string[],
  { path, script }: { readonly path: string; readonly script: Uint8Array },
  process: ShellProcess,
): Promise<number> | number {
  const mode = process.files.mode(path) ?? 0;
  if ((mode & 0o111) === 0) return fail(process, `sh: ${argv[0]}: Permission denied`, 126);
  const text = textOf(script);
  const [, interpreterPath] = /^#! *(\S+(?: +\S+)?)/.exec(text) ?? [];
  const isShell = interpreterPath === undefined || /(?:^|[/ ])(?:ba|a|da|z|k)?sh(?: |$)/.test(interpreterPath);
  return isShell ? runText(text, { ...process, parameters: argv }) : process.unknown(argv, process);
}

async function callFunction(
  body: ShellNode,
  name: string,
  args: readonly string[],
  process: ShellProcess,
): Promise<number> {
  const inner = deeper(name, process);
  process.budget.hold(frameBytes);
  try {
    return await run(body, { ...inner, parameters: [name, ...args] });
  } catch (error) {
    if (error instanceof ShellJump && error.kind === "return") return error.code;
    throw error;
  } finally {
    process.budget.release(frameBytes);
  }
}

/** @throws ShellFailure in bash's words */
function deeper(name: string, process: ShellProcess): ShellProcess {
  if (process.depth >= maxDepth)
    throw new ShellFailure(`${name}: maximum function nesting level exceeded (${maxDepth})`, 1);
  return { ...process, depth: process.depth + 1 };
}

export const interpreter: Interpreter = {
  subshell,
  command: (argv, process) => runCommand(argv, deeper(argv[0] ?? "", process)),
  script: runText,
  async line(text, process) {
    const budget = new Budget({}, process.budget);
    try {
      charge(process, text.length * 16);
      return await run(parseScript(text, budget), process);
    } finally {
      budget.releaseAll();
    }
  },
  isUnfinished(text, process) {
    const budget = new Budget({}, process.budget);
    try {
      parseScript(text, budget);
      return text.endsWith("\\");
    } catch (error) {
      return error instanceof ShellSyntaxError && error.isUnfinished;
    } finally {
      budget.releaseAll();
    }
  },
  failure: exitCodeOf,
};
