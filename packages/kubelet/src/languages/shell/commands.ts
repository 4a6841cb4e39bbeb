import { slept } from "@coxswain/runtime/wait";
import { Budget } from "../budget.js";
import { curl } from "./curl-command.js";
import { date } from "./date-command.js";
import { fileCommands } from "./file-commands.js";
import { runInteractive } from "./interactive.js";
import { nameCommands } from "./name-commands.js";
import { printf } from "./printf-command.js";
import {
  type Command,
  charge,
  fail,
  pace,
  print,
  printAll,
  readPiece,
  ShellExit,
  ShellJump,
  type ShellProcess,
  type ShellState,
  textOf,
} from "./shell-process.js";
import { pieceBytes, unlessAborted } from "./streams.js";
import { systemCommands } from "./system-commands.js";
import { tar } from "./tar-command.js";
import { evaluateTest } from "./test-command.js";
import { unescape } from "./unescape.js";
import { wget } from "./wget-command.js";

/** Seconds of `sleep`: fractions and the units of coreutils; undefined: no number. */
function secondsOf(text: string): number | undefined {
  if (text === "infinity" || text === "inf") return Number.POSITIVE_INFINITY;
  const unit = { s: 1, m: 60, h: 3600, d: 86_400 }[text.slice(-1)];
  const value = Number(unit === undefined ? text : text.slice(0, -1));
  return text === "" || Number.isNaN(value) ? undefined : value * (unit ?? 1);
}

/** Longer than any clock runs. */
const foreverMs = 2 ** 50;

async function sleepCommand(args: readonly string[], process: ShellProcess): Promise<number> {
  let seconds = 0;
  for (const arg of args) {
    const more = secondsOf(arg);
    if (more === undefined) return fail(process, `sleep: invalid number '${arg}'`);
    seconds += more;
  }
  await sleepFor(Math.min(seconds * 1000, foreverMs), process);
  return 0;
}

/** Sleeps by the clock; a process that is killed meanwhile ends. */
export async function sleepFor(ms: number, { runtime: { clock }, session }: ShellProcess): Promise<void> {
  session.turns = 0;
  await slept(ms, { clock, signal: session.signal });
  session.signal.throwIfAborted();
}

/** `sh -c script name args`, or a script file. */
async function shCommand(args: readonly string[], process: ShellProcess): Promise<number> {
  let at = 0;
  let isCommand = false;
  // Its options are those of a shell of its own.
  const state = { ...process.state, endsOnFailure: false, isPipefail: false };
  for (; /^[-+]/.test(args[at] ?? ""); at++) {
    if (/^-[a-z]*c/.test(args[at] as string)) isCommand = true;
    if (changeOptions(args[at] as string, args[at + 1], state)) at++;
  }
  const script = args[at];
  const shell = { ...process, state, isTested: false };
  if (script === undefined) return runInteractive(process);
  if (isCommand) return runText(script, shell, [args[at + 1] ?? "sh", ...args.slice(at + 2)]);
  const content = process.files.read(process.resolve(script));
  if (!content) return fail(process, `sh: can't open '${script}': No such file or directory`, 2);
  return runText(textOf(content), shell, [script, ...args.slice(at + 1)]);
}

/** `-e`, `+e`, `-euo pipefail`; the others change nothing here. Returns whether the name of an option that follows was used. */
function changeOptions(flags: string, name: string | undefined, state: ShellState): boolean {
  const isOn = flags.startsWith("-");
  if (flags.includes("e")) state.endsOnFailure = isOn;
  if (!/^[-+][a-z]*o$/.test(flags)) return false;
  if (name === "errexit") state.endsOnFailure = isOn;
  if (name === "pipefail") state.isPipefail = isOn;
  return true;
}

/** `set -e` and the like. Parameters stay as they are. */
function set(args: readonly string[], { state }: ShellProcess): number {
  for (let at = 0; /^[-+][a-z]+$/.test(args[at] ?? ""); at++)
    if (changeOptions(args[at] as string, args[at + 1], state)) at++;
  return 0;
}

const runText = (text: string, process: ShellProcess, parameters: readonly string[]): Promise<number> =>
  process.interpreter.script(text, { ...process, parameters });

/** `. file`: in the shell itself. */
function source([name = ""]: readonly string[], process: ShellProcess): Promise<number> | number {
  const content = process.files.read(process.resolve(name));
  // Images have files that nobody knows here.
  return content ? process.interpreter.line(textOf(content), process) : process.unknown([".", name], process);
}

/** `command -v name`: where a command is. `command name args` runs it. */
function commandCommand(args: readonly string[], process: ShellProcess): Promise<number> | number {
  const [flag = "", name = ""] = args;
  if (flag !== "-v" && flag !== "-V") return args.length === 0 ? 0 : process.interpreter.command(args, process);
  const path = process.resolve(name);
  const isFile = name.includes("/") && process.files.read(path) !== undefined;
  if (!isFile && !process.functions.has(name) && !commands.has(name)) return 127;
  print(process, `${isFile ? path : process.functions.has(name) ? name : `/bin/${name}`}\n`);
  return 0;
}

/** `read -r a b`: a line of the input, its words in variables; the rest in the last one. */
async function read(args: readonly string[], process: ShellProcess): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith("-"));
  const pieces: Uint8Array[] = [];
  let [size, isEnded] = [0, false];
  for (;;) {
    const piece = await readPiece(process);
    if (!piece) {
      isEnded = true;
      break;
    }
    const end = piece.indexOf(0x0a);
    pieces.push(end < 0 ? piece : piece.subarray(0, end));
    size += piece.length + 64;
    process.budget.check(size);
    if (end < 0) continue;
    if (end + 1 < piece.length) process.stdin.unread?.(piece.subarray(end + 1));
    break;
  }
  const words = textOf(Buffer.concat(pieces))
    .trim()
    .split(/[ \t]+/);
  for (const [at, name] of (names.length === 0 ? ["REPLY"] : names).entries())
    process.variables.set(name, at === names.length - 1 ? words.slice(at).join(" ") : (words[at] ?? ""));
  return isEnded && size === 0 ? 1 : 0;
}

async function echo(args: readonly string[], process: ShellProcess): Promise<number> {
  let newline = true;
  let escapes = false;
  let at = 0;
  for (; /^-[neE]+$/.test(args[at] ?? ""); at++) {
    if (args[at]?.includes("n")) newline = false;
    if (args[at]?.includes("e")) escapes = true;
  }
  const text = args.slice(at).join(" ");
  await printAll(process, (escapes ? unescape(text) : text) + (newline ? "\n" : ""));
  return 0;
}

function exportCommand(args: readonly string[], { variables }: ShellProcess): number {
  for (const arg of args) {
    const equals = arg.indexOf("=");
    const name = equals < 0 ? arg : arg.slice(0, equals);
    if (equals >= 0) variables.set(name, arg.slice(equals + 1));
    variables.export(name);
  }
  return 0;
}

async function env(args: readonly string[], process: ShellProcess): Promise<number> {
  const budget = new Budget({}, process.budget);
  try {
    const inner = { ...process, variables: process.variables.copy(budget) };
    charge(process, process.variables.size * 16);
    let at = 0;
    for (; args[at]?.includes("="); at++) exportCommand([args[at] as string], inner);
    if (at < args.length) return await process.interpreter.command(args.slice(at), inner);
    for (const [name, value] of inner.variables.exported()) await printAll(process, `${name}=${value}\n`);
    return 0;
  } finally {
    budget.releaseAll();
  }
}

function expr(args: readonly string[], process: ShellProcess): number {
  const [left = "", operator = "", right = ""] = args;
  const [a, b] = [Number(left), Number(right)];
  const truth = (value: boolean): string => (value ? "1" : "0");
  const results: Readonly<Record<string, () => string>> = {
    "+": () => String(a + b),
    "-": () => String(a - b),
    "*": () => String(a * b),
    "/": () => String(Math.trunc(a / b)),
    "%": () => String(a % b),
    "=": () => truth(left === right),
    "!=": () => truth(left !== right),
    "<": () => truth(a < b),
    ">": () => truth(a > b),
    "<=": () => truth(a <= b),
    ">=": () => truth(a >= b),
  };
  const result = args.length === 1 ? left : Object.hasOwn(results, operator) ? results[operator]?.() : undefined;
  if (result === undefined) return fail(process, "expr: syntax error", 2);
  print(process, `${result}\n`);
  return result === "" || result === "0" ? 1 : 0;
}

async function seq(args: readonly string[], process: ShellProcess): Promise<number> {
  const numbers = args.map(Number);
  const [first, step, last] =
    numbers.length < 2 ? [1, 1, numbers[0]] : numbers.length < 3 ? [numbers[0], 1, numbers[1]] : numbers;
  if (!first || !step || last === undefined || numbers.some(Number.isNaN)) return numbers[0] === 0 ? 0 : 1;
  let text = "";
  for (let i = 0, n = first; step > 0 ? n <= last : n >= last; n = first + ++i * step) {
    text += `${n}\n`;
    if (text.length < pieceBytes) continue;
    print(process, text);
    text = "";
    await pace(process);
  }
  print(process, text);
  return 0;
}

const codeOf = (text: string | undefined, otherwise: number): number => {
  const code = Number(text ?? otherwise);
  return Number.isInteger(code) ? code & 255 : 2;
};

async function waitForEver(_args: readonly string[], process: ShellProcess): Promise<number> {
  await sleepFor(foreverMs, process);
  return 0;
}

/** `wait` for all that was begun with `&`; `wait $!` for one, with its exit code. */
async function waitForJobs(args: readonly string[], process: ShellProcess): Promise<number> {
  const { jobs } = process.state;
  let code = 0;
  for (const number of args.length > 0 ? args.map(Number) : [...jobs.keys()]) {
    const job = jobs.get(number);
    jobs.delete(number);
    const ended = job === undefined ? 127 : await unlessAborted(job, process.session.signal);
    code = args.length > 0 ? ended : 0;
  }
  return code;
}

/** What this shell has, by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...fileCommands,
  ...systemCommands,
  ...nameCommands,
  ["curl", curl],
  ["wget", wget],
  ["tar", tar],
  ["read", read],
  [".", source],
  ["source", source],
  ["command", commandCommand],
  ["which", (args, process) => commandCommand(["-v", ...args], process)],
  ["type", (args, process) => commandCommand(["-v", ...args], process)],
  [":", () => 0],
  ["true", () => 0],
  ["false", () => 1],
  ["echo", echo],
  ["printf", printf],
  ["sleep", sleepCommand],
  ["sh", shCommand],
  ["bash", shCommand],
  ["ash", shCommand],
  ["exec", (args, process) => (args.length === 0 ? 0 : process.interpreter.command(args, process))],
  ["env", env],
  ["printenv", (args, process) => printenv(args, process)],
  ["export", exportCommand],
  ["set", set],
  ["unset", (args, { variables }) => (args.forEach((name) => variables.delete(name)), 0)],
  ["local", exportCommand],
  ["cd", (args, process) => changeDirectory(args[0] ?? "/", process)],
  ["exit", (args, { state }) => leave(new ShellExit(codeOf(args[0], state.lastExit)))],
  ["return", (args, { state }) => leave(new ShellJump("return", codeOf(args[0], state.lastExit)))],
  ["break", () => leave(new ShellJump("break"))],
  ["continue", () => leave(new ShellJump("continue"))],
  ["trap", trap],
  ["wait", waitForJobs],
  ["pause", waitForEver],
  ["test", (args, process) => evaluateTest(args, process)],
  [
    "[",
    (args, process) =>
      args.at(-1) === "]" ? evaluateTest(args.slice(0, -1), process) : fail(process, "sh: missing ]", 2),
  ],
  [
    "[[",
    (args, process) =>
      args.at(-1) === "]]" ? evaluateTest(args.slice(0, -1), process) : fail(process, "sh: missing ]]", 2),
  ],
  ["expr", expr],
  ["seq", seq],
  ["date", date],
  ["hostname", (_args, process) => (print(process, `${process.hostname}\n`), 0)],
  ["nproc", (_args, process) => (print(process, "1\n"), 0)],
]);

const signals = new Set(
  "EXIT HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM CHLD CONT TSTP TTIN TTOU WINCH ERR".split(" "),
);

/** Handlers of signals belong to the container, whose memory they take; those of the end to the shell. */
function trap([handler = "", ...names]: readonly string[], process: ShellProcess): number {
  let code = 0;
  for (const given of names) {
    const name = given.replace(/^SIG/, "");
    if (!signals.has(name) && !/^[0-9]{1,2}$/.test(name)) {
      code = fail(process, `sh: trap: ${given}: invalid signal specification`);
      continue;
    }
    if (name === "EXIT" || name === "0") {
      process.state.onExit = handler === "-" ? "" : handler;
      continue;
    }
    const { memory } = process.session.cgroup;
    memory.hold(handler.length);
    memory.release(process.traps.get(name)?.length ?? 0);
    process.traps.set(name, handler);
  }
  return code;
}

function leave(reason: ShellExit | ShellJump): never {
  throw reason;
}

async function printenv(args: readonly string[], process: ShellProcess): Promise<number> {
  if (args.length === 0) return env(args, process);
  const value = process.variables.get(args[0] as string);
  if (value === undefined) return 1;
  await printAll(process, `${value}\n`);
  return 0;
}

function changeDirectory(to: string, process: ShellProcess): number {
  const path = process.resolve(to);
  if (!process.files.isDirectory(path)) return fail(process, `sh: cd: can't cd to ${to}: No such file or directory`, 2);
  process.state.directory = path;
  return 0;
}
