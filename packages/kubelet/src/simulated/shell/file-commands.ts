import { slept } from "@coxswain/runtime/wait";
import { type Command, complain, print, type ShellProcess, textOf } from "./shell-process.js";

const missing = (command: string, path: string, process: ShellProcess): number =>
  complain(process, `${command}: ${path}: No such file or directory`);

const operandsOf = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith("-") || arg === "-");

/** Reads the files named, or the input, and hands each to `use`. */
async function eachInput(
  command: string,
  names: readonly string[],
  process: ShellProcess,
  use: (content: Uint8Array) => void,
): Promise<number> {
  if (names.length === 0) use(await process.stdin());
  let code = 0;
  for (const name of names) {
    const content =
      name === "-"
        ? await process.stdin()
        : name === "/dev/null"
          ? new Uint8Array()
          : process.files.read(process.resolve(name));
    if (content) use(content);
    else
      code = process.files.isDirectory(process.resolve(name))
        ? complain(process, `${command}: read error: Is a directory`)
        : missing(command, name, process);
  }
  return code;
}

const cat: Command = (args, process) =>
  eachInput("cat", operandsOf(args), process, (content) => process.stdout(content));

const touch: Command = (args, process) => {
  let code = 0;
  for (const name of operandsOf(args)) {
    const path = process.resolve(name);
    if (
      process.files.read(path) === undefined &&
      !process.files.isDirectory(path) &&
      !process.files.write(path, new Uint8Array())
    )
      code = complain(process, `touch: ${name}: Read-only file system`);
  }
  return code;
};

const rm: Command = (args, process) => {
  const isForced = args.some((arg) => arg.startsWith("-") && arg.includes("f"));
  let code = 0;
  for (const name of operandsOf(args)) {
    const path = process.resolve(name);
    const isThere = process.files.read(path) !== undefined || process.files.isDirectory(path);
    if (isThere ? !process.files.remove(path) : !isForced)
      code = complain(
        process,
        `rm: can't remove '${name}': ${isThere ? "Read-only file system" : "No such file or directory"}`,
      );
  }
  return code;
};

const mkdir: Command = (args, process) => {
  let code = 0;
  for (const name of operandsOf(args))
    if (!process.files.makeDirectory(process.resolve(name)))
      code = complain(process, `mkdir: can't create directory '${name}': File exists`);
  return code;
};

const ls: Command = (args, process) => {
  const [name = "."] = operandsOf(args);
  const path = process.resolve(name);
  if (process.files.isDirectory(path)) for (const each of process.files.list(path)) print(process, `${each}\n`);
  else if (process.files.read(path) !== undefined) print(process, `${name}\n`);
  else return complain(process, `ls: ${name}: No such file or directory`);
  return 0;
};

const cp: Command = (args, process) => {
  const [from = "", to = ""] = operandsOf(args);
  const content = process.files.read(process.resolve(from));
  if (!content) return complain(process, `cp: can't stat '${from}': No such file or directory`);
  const target = process.resolve(to);
  const path = process.files.isDirectory(target) ? `${target}/${from.slice(from.lastIndexOf("/") + 1)}` : target;
  return process.files.write(path, content) ? 0 : complain(process, `cp: can't create '${to}': Read-only file system`);
};

const mv: Command = async (args, process) => {
  const code = await cp(args, process);
  if (code === 0) process.files.remove(process.resolve(operandsOf(args)[0] ?? ""));
  return code;
};

/** The lines that -n names, or ten of them. */
function countOf(args: readonly string[]): { count: number; rest: string[] } {
  const rest: string[] = [];
  let count = 10;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === "-n") count = Math.abs(Number(args[++i] ?? 10));
    else if (/^-n?\d+$/.test(arg)) count = Number(arg.replace(/^-n?/, ""));
    else rest.push(arg);
  }
  return { count, rest };
}

const linesOf = (content: Uint8Array): string[] => {
  const lines = textOf(content).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

const head: Command = (args, process) => {
  const { count, rest } = countOf(args);
  return eachInput("head", operandsOf(rest), process, (content) => {
    for (const line of linesOf(content).slice(0, count)) print(process, `${line}\n`);
  });
};

const tail: Command = async (args, process) => {
  const { count, rest } = countOf(args);
  const code = await eachInput("tail", operandsOf(rest), process, (content) => {
    for (const line of linesOf(content).slice(-count)) print(process, `${line}\n`);
  });
  if (!args.some((arg) => /^-[fF]/.test(arg)) || code !== 0) return code;
  // `tail -f` is how scripts wait for ever; what is appended meanwhile is not shown.
  await slept(2 ** 50, { clock: process.clock, signal: process.signal });
  process.signal.throwIfAborted();
  return 0;
};

const wc: Command = (args, process) =>
  eachInput("wc", operandsOf(args), process, (content) => {
    const text = textOf(content);
    const counts = [text.split("\n").length - 1, text.split(/\s+/).filter(Boolean).length, content.length];
    const shown = args.includes("-l")
      ? [counts[0]]
      : args.includes("-w")
        ? [counts[1]]
        : args.includes("-c")
          ? [counts[2]]
          : counts;
    print(process, `${shown.join(" ")}\n`);
  });

/** Plain texts only: patterns are taken literally. */
const grep: Command = async (args, process) => {
  const flags = args.filter((arg) => arg.startsWith("-")).join("");
  const [pattern = "", ...names] = operandsOf(args);
  const ignoresCase = flags.includes("i");
  const wanted = ignoresCase ? pattern.toLowerCase() : pattern;
  let found = 0;
  const code = await eachInput("grep", names, process, (content) => {
    for (const line of linesOf(content)) {
      const isMatch = (ignoresCase ? line.toLowerCase() : line).includes(wanted) !== flags.includes("v");
      if (!isMatch) continue;
      found++;
      if (!flags.includes("q") && !flags.includes("c")) print(process, `${line}\n`);
    }
  });
  if (flags.includes("c")) print(process, `${found}\n`);
  return code !== 0 ? 2 : found > 0 ? 0 : 1;
};

export const fileCommands: readonly (readonly [string, Command])[] = [
  ["cat", cat],
  ["touch", touch],
  ["rm", rm],
  ["mkdir", mkdir],
  ["ls", ls],
  ["cp", cp],
  ["mv", mv],
  ["head", head],
  ["tail", tail],
  ["wc", wc],
  ["grep", grep],
  ["pwd", (_args, process) => (print(process, `${process.state.directory}\n`), 0)],
  [
    "tee",
    async (args, process) => {
      const content = await process.stdin();
      process.stdout(content);
      for (const name of operandsOf(args)) process.files.write(process.resolve(name), content);
      return 0;
    },
  ],
];
