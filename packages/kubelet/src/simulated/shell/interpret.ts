import { macrotask } from "@coxswain/runtime/event-loop";
import { resolvePath } from "../file-system.js";
import { commands } from "./commands.js";
import { expandPattern, expandText, expandWords } from "./expand.js";
import { parseScript } from "./parse.js";
import { matchesPattern } from "./pattern.js";
import {
  bytesOf,
  complain,
  type Interpreter,
  ShellExit,
  ShellJump,
  type ShellProcess,
  type ShellState,
} from "./shell-process.js";
import { type Redirect, ShellSyntaxError, type ShellNode } from "./syntax.js";

/** Loops that do nothing but loop let others run after so many rounds. */
const roundsPerTurn = 1000;

/** Runs a script to its end. Returns the exit code. */
export async function runScript(script: ShellNode, process: ShellProcess): Promise<number> {
  try {
    return await run(script, process);
  } catch (error) {
    if (error instanceof ShellExit) return error.code;
    if (error instanceof ShellJump) return error.code;
    if (error instanceof ShellSyntaxError) return complain(process, `sh: ${error.message}`, 2);
    throw error;
  }
}

/** Runs a part of a script in a copy of the process: what it sets and where it goes stays inside. */
const subshell = (node: ShellNode, process: ShellProcess): Promise<number> =>
  runScript(node, {
    ...process,
    ...ownState(process),
    variables: new Map(process.variables),
    exported: new Set(process.exported),
    functions: new Map(process.functions),
  });

/** A state of its own, and what depends on it. */
export function ownState(from: { readonly state: ShellState }): Pick<ShellProcess, "state" | "resolve"> {
  const state = { ...from.state };
  return { state, resolve: (path) => resolvePath(path, state.directory) };
}

async function run(node: ShellNode, process: ShellProcess): Promise<number> {
  process.signal.throwIfAborted();
  switch (node.type) {
    case "list": {
      let code = 0;
      for (const { node: item, background } of node.items) {
        if (background) {
          void subshell(item, process).catch(() => {}); // ends with the process
          code = 0;
        } else code = await run(item, process);
        process.state.lastExit = code;
      }
      return code;
    }
    case "and": {
      const code = await run(node.left, process);
      process.state.lastExit = code;
      return code === 0 ? run(node.right, process) : code;
    }
    case "or": {
      const code = await run(node.left, process);
      process.state.lastExit = code;
      return code === 0 ? code : run(node.right, process);
    }
    case "pipe":
      return pipe(node.parts, node.negated, process);
    case "function":
      process.functions.set(node.name, node.body);
      return 0;
    case "simple":
      return simple(node, process);
    default:
      return redirected(node.redirects, process, (inner) => compound(node, inner));
  }
}

type Compound = Extract<ShellNode, { type: "group" | "subshell" | "if" | "loop" | "for" | "case" }>;

async function compound(node: Compound, process: ShellProcess): Promise<number> {
  switch (node.type) {
    case "group":
      return run(node.body, process);
    case "subshell":
      return subshell(node.body, process);
    case "if":
      for (const { test, body } of node.branches) if ((await run(test, process)) === 0) return run(body, process);
      return node.otherwise ? run(node.otherwise, process) : 0;
    case "loop":
      return loop(process, async () => ((await run(node.test, process)) === 0) !== node.until, node.body);
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
          if (matchesPattern(word, await expandPattern(pattern, process))) return run(body, process);
      return 0;
    }
  }
}

async function loop(process: ShellProcess, next: () => Promise<boolean>, body: ShellNode): Promise<number> {
  let code = 0;
  for (let round = 1; await next(); round++) {
    if (round % roundsPerTurn === 0) await macrotask();
    try {
      code = await run(body, process);
    } catch (error) {
      if (!(error instanceof ShellJump) || error.kind === "return") throw error;
      if (error.kind === "break") return 0;
    }
  }
  return code;
}

/** The parts run one after the other, each on the whole output of the one before. */
async function pipe(parts: readonly ShellNode[], negated: boolean, process: ShellProcess): Promise<number> {
  let code = 0;
  let input: Uint8Array | undefined;
  for (const [i, part] of parts.entries()) {
    const chunks: Uint8Array[] = [];
    const given = input;
    const inner: ShellProcess = {
      ...process,
      ...(given && { stdin: async () => given }),
      ...(i < parts.length - 1 && { stdout: (chunk: Uint8Array) => void chunks.push(chunk) }),
    };
    code = parts.length === 1 ? await run(part, process) : await subshell(part, inner);
    input = Buffer.concat(chunks);
  }
  return negated ? Number(code === 0) : code;
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
    process.exported.add(variable);
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
  const command = commands.get(name.slice(name.lastIndexOf("/") + 1));
  return command ? command(args, process) : process.unknown(argv, process);
}

async function callFunction(
  body: ShellNode,
  name: string,
  args: readonly string[],
  process: ShellProcess,
): Promise<number> {
  try {
    return await run(body, { ...process, parameters: [name, ...args] });
  } catch (error) {
    if (error instanceof ShellJump && error.kind === "return") return error.code;
    throw error;
  }
}

/** Applies redirections for the time of `work`. What a file collects is written at each write, so that others see it. */
async function redirected(
  redirects: readonly Redirect[],
  process: ShellProcess,
  work: (inner: ShellProcess) => Promise<number>,
): Promise<number> {
  if (redirects.length === 0) return work(process);
  const changes: Partial<Pick<ShellProcess, "stdin" | "stdout" | "stderr">> = {};
  const output = (from: number): ((chunk: Uint8Array) => void) =>
    from === 2 ? (changes.stderr ?? process.stderr) : (changes.stdout ?? process.stdout);
  for (const { from, operator, target } of redirects) {
    const text = await expandText(target, process);
    if (operator === "<<" || operator === "<<<") {
      const body = bytesOf(operator === "<<<" ? `${text}\n` : text);
      changes.stdin = async () => body;
      continue;
    }
    if (operator === ">&") {
      const to = output(Number(text));
      if (from === 2) changes.stderr = to;
      else changes.stdout = to;
      continue;
    }
    const path = process.resolve(text);
    if (operator === "<") {
      const content = process.files.read(path);
      if (!content) return complain(process, `sh: can't open ${text}: no such file`, 1);
      changes.stdin = async () => content;
      continue;
    }
    if (path === "/dev/stdout" || path === "/dev/stderr") {
      const to = output(path === "/dev/stderr" ? 2 : 1);
      if (from === 2) changes.stderr = to;
      else changes.stdout = to;
      continue;
    }
    const start = operator === ">>" ? (process.files.read(path) ?? new Uint8Array()) : new Uint8Array();
    if (!process.files.write(path, start))
      return complain(process, `sh: can't create ${text}: Read-only file system`, 1);
    const append = (chunk: Uint8Array): void =>
      void process.files.write(path, Buffer.concat([process.files.read(path) ?? new Uint8Array(), chunk]));
    if (from === 2) changes.stderr = append;
    else changes.stdout = append;
  }
  return work({ ...process, ...changes });
}

export const interpreter: Interpreter = { subshell, command: runCommand, parse: parseScript };
