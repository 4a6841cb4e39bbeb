import { slept } from "@coxswain/runtime/wait";
import { fileCommands } from "./file-commands.js";
import {
  bytesOf,
  type Command,
  complain,
  print,
  ShellExit,
  ShellJump,
  type ShellProcess,
  textOf,
} from "./shell-process.js";
import { ShellSyntaxError } from "./syntax.js";
import { evaluateTest } from "./test-command.js";

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
    if (more === undefined) return complain(process, `sleep: invalid number '${arg}'`);
    seconds += more;
  }
  const ms = Math.min(seconds * 1000, foreverMs);
  if (!(await slept(ms, { clock: process.clock, signal: process.signal }))) process.signal.throwIfAborted();
  return 0;
}

/** `sh -c script name args`, or a script file. */
async function shCommand(args: readonly string[], process: ShellProcess): Promise<number> {
  let at = 0;
  let isCommand = false;
  for (; args[at]?.startsWith("-"); at++) if (args[at]?.includes("c")) isCommand = true;
  const script = args[at];
  if (script === undefined) return runText(textOf(await process.stdin()), process, ["sh"]);
  if (isCommand) return runText(script, process, [args[at + 1] ?? "sh", ...args.slice(at + 2)]);
  const content = process.files.read(script);
  if (!content) return complain(process, `sh: can't open '${script}': No such file or directory`, 2);
  return runText(textOf(content), process, [script, ...args.slice(at + 1)]);
}

async function runText(text: string, process: ShellProcess, parameters: readonly string[]): Promise<number> {
  try {
    return await process.interpreter.subshell(process.interpreter.parse(text), { ...process, parameters });
  } catch (error) {
    // What cannot be read is no different from a program that nobody knows.
    if (error instanceof ShellSyntaxError) return process.unknown(["sh", "-c", text], process);
    throw error;
  }
}

function echo(args: readonly string[], process: ShellProcess): number {
  let newline = true;
  let escapes = false;
  let at = 0;
  for (; /^-[neE]+$/.test(args[at] ?? ""); at++) {
    if (args[at]?.includes("n")) newline = false;
    if (args[at]?.includes("e")) escapes = true;
  }
  const text = args.slice(at).join(" ");
  print(process, (escapes ? unescape(text) : text) + (newline ? "\n" : ""));
  return 0;
}

const escapesOf: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  a: "\x07",
  e: "\x1b",
};
const unescape = (text: string): string => text.replace(/\\([\s\S])/g, (all, char: string) => escapesOf[char] ?? all);

/** Formats are used again while arguments are left. */
function printf([format = "", ...args]: readonly string[], process: ShellProcess): number {
  const left = [...args];
  const once = (): string =>
    unescape(format).replace(/%(-?\d*)([sdiuxc%])/g, (_, width: string, kind: string) => {
      if (kind === "%") return "%";
      const arg = left.shift() ?? "";
      const number = (): string => Number(arg || 0).toString(kind === "x" ? 16 : 10);
      const shown = kind === "s" ? arg : kind === "c" ? arg.slice(0, 1) : number();
      const length = Math.min(Math.abs(Number(width)), 1000);
      return width.startsWith("-") ? shown.padEnd(length) : shown.padStart(length);
    });
  let text = once();
  for (let before = args.length; left.length > 0 && left.length < before; ) {
    before = left.length;
    text += once();
  }
  print(process, text);
  return 0;
}

function exportCommand(args: readonly string[], { variables, exported }: ShellProcess): number {
  for (const arg of args) {
    const equals = arg.indexOf("=");
    const name = equals < 0 ? arg : arg.slice(0, equals);
    if (equals >= 0) variables.set(name, arg.slice(equals + 1));
    exported.add(name);
  }
  return 0;
}

async function env(args: readonly string[], process: ShellProcess): Promise<number> {
  const inner = { ...process, variables: new Map(process.variables), exported: new Set(process.exported) };
  let at = 0;
  for (; args[at]?.includes("="); at++) exportCommand([args[at] as string], inner);
  if (at < args.length) return process.interpreter.command(args.slice(at), inner);
  for (const name of inner.exported)
    if (inner.variables.has(name)) print(process, `${name}=${inner.variables.get(name)}\n`);
  return 0;
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
  if (result === undefined) return complain(process, "expr: syntax error", 2);
  print(process, `${result}\n`);
  return result === "" || result === "0" ? 1 : 0;
}

function seq(args: readonly string[], process: ShellProcess): number {
  const numbers = args.map(Number);
  const [first, step, last] =
    numbers.length < 2 ? [1, 1, numbers[0]] : numbers.length < 3 ? [numbers[0], 1, numbers[1]] : numbers;
  if (!first || !step || last === undefined || numbers.some(Number.isNaN)) return numbers[0] === 0 ? 0 : 1;
  const lines: string[] = [];
  for (let n = first; step > 0 ? n <= last : n >= last; n += step) if (lines.push(String(n)) > 100_000) break;
  if (lines.length > 0) print(process, `${lines.join("\n")}\n`);
  return 0;
}

function date(args: readonly string[], { clock, ...process }: ShellProcess): number {
  const now = clock.now();
  const iso = new Date(now).toISOString();
  const format = args.find((arg) => arg.startsWith("+"));
  const shown =
    format === "+%s" ? String(Math.floor(now / 1000)) : format === undefined ? new Date(now).toUTCString() : iso;
  process.stdout(bytesOf(`${shown}\n`));
  return 0;
}

const codeOf = (text: string | undefined, otherwise: number): number => {
  const code = Number(text ?? otherwise);
  return Number.isInteger(code) ? code & 255 : 2;
};

async function waitForEver(_args: readonly string[], process: ShellProcess): Promise<number> {
  await slept(foreverMs, { clock: process.clock, signal: process.signal });
  process.signal.throwIfAborted();
  return 0;
}

/** What this shell has, by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...fileCommands,
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
  ["set", () => 0],
  ["unset", (args, { variables }) => (args.forEach((name) => variables.delete(name)), 0)],
  ["local", exportCommand],
  ["cd", (args, process) => changeDirectory(args[0] ?? "/", process)],
  ["exit", (args, { state }) => leave(new ShellExit(codeOf(args[0], state.lastExit)))],
  ["return", (args, { state }) => leave(new ShellJump("return", codeOf(args[0], state.lastExit)))],
  ["break", () => leave(new ShellJump("break"))],
  ["continue", () => leave(new ShellJump("continue"))],
  [
    "trap",
    ([handler = "", ...signals], { traps }) => (
      signals.forEach((signal) => traps.set(signal.replace(/^SIG/, ""), handler)), 0
    ),
  ],
  ["wait", waitForEver],
  ["pause", waitForEver],
  ["test", (args, process) => evaluateTest(args, process)],
  [
    "[",
    (args, process) =>
      args.at(-1) === "]" ? evaluateTest(args.slice(0, -1), process) : complain(process, "sh: missing ]", 2),
  ],
  [
    "[[",
    (args, process) =>
      args.at(-1) === "]]" ? evaluateTest(args.slice(0, -1), process) : complain(process, "sh: missing ]]", 2),
  ],
  ["expr", expr],
  ["seq", seq],
  ["date", date],
  ["hostname", (_args, process) => (print(process, `${process.hostname}\n`), 0)],
  ["whoami", (_args, process) => (print(process, "root\n"), 0)],
  [
    "id",
    (args, process) => (
      print(process, args.includes("-u") || args.includes("-g") ? "0\n" : "uid=0(root) gid=0(root) groups=0(root)\n"), 0
    ),
  ],
  ["nproc", (_args, process) => (print(process, "1\n"), 0)],
]);

function leave(reason: ShellExit | ShellJump): never {
  throw reason;
}

function printenv(args: readonly string[], process: ShellProcess): number | Promise<number> {
  if (args.length === 0) return env(args, process);
  const value = process.variables.get(args[0] as string);
  if (value === undefined) return 1;
  print(process, `${value}\n`);
  return 0;
}

function changeDirectory(to: string, process: ShellProcess): number {
  const path = process.resolve(to);
  if (!process.files.isDirectory(path))
    return complain(process, `sh: cd: can't cd to ${to}: No such file or directory`, 2);
  process.state.directory = path;
  return 0;
}
