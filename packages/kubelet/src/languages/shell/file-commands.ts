import { slept } from "@coxswain/runtime/wait";
import { grepPattern } from "./grep-pattern.js";
import { readOptions } from "./read-options.js";
import {
  type Command,
  charge,
  chargeWrite,
  fail,
  pace,
  print,
  printAll,
  readPiece,
  type ShellProcess,
} from "./shell-process.js";
import { inputOf } from "./streams.js";

const missing = (command: string, path: string, process: ShellProcess): number =>
  fail(process, `${command}: ${path}: No such file or directory`);

const operandsOf = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith("-") || arg === "-");

/** The files named, or the input, in pieces. What cannot be read is reported, and is the exit code that `result` then has. */
async function* piecesOf(
  command: string,
  names: readonly string[],
  { process, result }: { process: ShellProcess; result: { code: number } },
): AsyncGenerator<Uint8Array> {
  for (const name of names.length === 0 ? ["-"] : names) {
    const path = process.resolve(name);
    const content = name === "-" || path === "/dev/null" ? undefined : process.files.read(path);
    if (name !== "-" && path !== "/dev/null" && !content) {
      result.code = process.files.isDirectory(path)
        ? fail(process, `${command}: read error: Is a directory`)
        : missing(command, name, process);
      continue;
    }
    const from = content ? { ...process, stdin: inputOf(content) } : process;
    if (path === "/dev/null") continue;
    for (let piece = await readPiece(from); piece; piece = await readPiece(from)) {
      chargeWrite(process, piece.length);
      yield piece;
      await pace(process);
    }
  }
}

/** The lines of what a command reads; one may be as long as memory allows. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>, process: ShellProcess): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  /** Of a line that is not complete yet; only what is new is searched for its end. */
  let rest: string[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
    rest.push(first);
    bytes += first.length + 32;
    process.budget.check(bytes);
    const last = others.pop();
    if (last === undefined) continue;
    charge(process, others.length * 32);
    yield rest.join("");
    yield* others;
    rest = [last];
    bytes = last.length + 32;
  }
  const line = rest.join("") + decoder.decode();
  if (line !== "") yield line;
}

const cat: Command = async (args, process) => {
  const result = { code: 0 };
  for await (const piece of piecesOf("cat", operandsOf(args), { process, result })) process.stdout.write(piece);
  return result.code;
};

const touch: Command = async (args, process) => {
  let code = 0;
  for (const name of operandsOf(args)) {
    charge(process, 128);
    await pace(process);
    const path = process.resolve(name);
    if (process.files.isDirectory(path)) continue;
    const problem = process.files.append(path, new Uint8Array());
    if (problem !== undefined) code = fail(process, `touch: ${name}: ${problem}`);
  }
  return code;
};

const rm: Command = async (args, process) => {
  const isForced = args.some((arg) => arg.startsWith("-") && arg.includes("f"));
  let code = 0;
  for (const name of operandsOf(args)) {
    charge(process, 128);
    await pace(process);
    const path = process.resolve(name);
    const isThere = process.files.read(path) !== undefined || process.files.isDirectory(path);
    if (isThere ? !process.files.remove(path) : !isForced)
      code = fail(
        process,
        `rm: can't remove '${name}': ${isThere ? "Read-only file system" : "No such file or directory"}`,
      );
  }
  return code;
};

const mkdir: Command = async (args, process) => {
  let code = 0;
  for (const name of operandsOf(args)) {
    charge(process, 128);
    await pace(process);
    const problem = process.files.makeDirectory(process.resolve(name));
    if (problem !== undefined) code = fail(process, `mkdir: can't create directory '${name}': ${problem}`);
  }
  return code;
};

const ls: Command = async (args, process) => {
  const [name = "."] = operandsOf(args);
  const path = process.resolve(name);
  if (process.files.isDirectory(path)) {
    const names = process.files.list(path);
    charge(process, names.length * 64);
    for (const each of names) {
      print(process, `${each}\n`);
      await pace(process);
    }
  } else if (process.files.read(path) !== undefined) print(process, `${name}\n`);
  else return fail(process, `ls: ${name}: No such file or directory`);
  return 0;
};

const cp: Command = (args, process) => {
  const [from = "", to = ""] = operandsOf(args);
  const source = process.resolve(from);
  const content = process.files.read(source);
  if (!content) {
    const text = `cp: can't stat '${from}': No such file or directory`;
    if (!process.files.mayBeOfImage(source)) return fail(process, text);
    return process.unknown(["cp", ...args], process, { code: 1, text, isOfImage: true });
  }
  const target = process.resolve(to);
  const path = process.files.isDirectory(target) ? `${target}/${from.slice(from.lastIndexOf("/") + 1)}` : target;
  charge(process, content.length);
  const problem = process.files.write(path, content);
  return problem === undefined ? 0 : fail(process, `cp: can't create '${to}': ${problem}`);
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

const head: Command = async (args, process) => {
  const { count, rest } = countOf(args);
  const result = { code: 0 };
  const names = operandsOf(rest);
  for (const name of names.length === 0 ? ["-"] : names) {
    let left = count;
    if (left <= 0) continue;
    for await (const line of linesOf(piecesOf("head", [name], { process, result }), process)) {
      await printAll(process, `${line}\n`);
      if (--left <= 0) break;
    }
  }
  return result.code;
};

const tail: Command = async (args, process) => {
  const { count, rest } = countOf(args);
  const result = { code: 0 };
  for (const line of await lastLines(count, piecesOf("tail", operandsOf(rest), { process, result }), process)) {
    await printAll(process, `${line}\n`);
    await pace(process);
  }
  if (!args.some((arg) => /^-[fF]/.test(arg)) || result.code !== 0) return result.code;
  // `tail -f` is how scripts wait for ever; what is appended meanwhile is not shown.
  await slept(2 ** 50, { clock: process.runtime.clock, signal: process.session.signal });
  process.session.signal.throwIfAborted();
  return 0;
};

async function lastLines(count: number, pieces: AsyncIterable<Uint8Array>, process: ShellProcess): Promise<string[]> {
  const kept: string[] = [];
  let [first, bytes] = [0, 0];
  for await (const line of linesOf(pieces, process)) {
    kept.push(line);
    bytes += line.length + 32;
    if (kept.length - first > count) bytes -= (kept[first++] as string).length + 32;
    process.budget.check(bytes);
    // Lines that are not wanted any more go many at a time.
    if (first > 1000 && first * 2 > kept.length) {
      kept.splice(0, first);
      first = 0;
    }
  }
  return kept.slice(first);
}

const wc: Command = async (args, process) => {
  const result = { code: 0 };
  let [lines, words, bytes] = [0, 0, 0];
  let isInWord = false;
  for await (const piece of piecesOf("wc", operandsOf(args), { process, result })) {
    charge(process, piece.length);
    bytes += piece.length;
    for (const byte of piece) {
      const isSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
      if (byte === 0x0a) lines++;
      if (!isSpace && !isInWord) words++;
      isInWord = !isSpace;
    }
  }
  const shown = args.includes("-l")
    ? [lines]
    : args.includes("-w")
      ? [words]
      : args.includes("-c")
        ? [bytes]
        : [lines, words, bytes];
  print(process, `${shown.join(" ")}\n`);
  return result.code;
};

const grepOptions = {
  valued: new Set(["e", "m"]),
  plain: new Set([..."EFGciqvnxwsho", "color"]),
};

const grep: Command = async (args, process) => {
  const { values, operands, unknown } = readOptions(args, grepOptions);
  if (unknown !== undefined) return fail(process, `grep: this simulated grep does not have ${unknown}`, 2);
  const [pattern = "", ...names] = [...(values.get("e") ?? []).slice(0, 1), ...operands];
  const wanted = grepPattern(pattern, {
    ...(values.has("F") ? { syntax: "plain" } : values.has("E") && { syntax: "extended" }),
    ignoresCase: values.has("i"),
    isWholeLine: values.has("x"),
    isWholeWord: values.has("w"),
  });
  if (typeof wanted === "string") return fail(process, `grep: ${pattern}: ${wanted}`, 2);
  const [isQuiet, isCount, isInverted] = [values.has("q"), values.has("c"), values.has("v")];
  const most = Number(values.get("m")?.at(-1) ?? Number.POSITIVE_INFINITY);
  let [found, number] = [0, 0];
  const result = { code: 0 };
  for await (const line of linesOf(piecesOf("grep", names, { process, result }), process)) {
    charge(process, line.length);
    number++;
    if (wanted.longestLine !== undefined && line.length > wanted.longestLine)
      return fail(process, `grep: line ${number} is too long for a regular expression`, 2);
    if (wanted.test(line) === isInverted) continue;
    found++;
    if (isQuiet) break;
    if (!isCount) await printAll(process, `${values.has("n") ? `${number}:` : ""}${line}\n`);
    if (found >= most) break;
  }
  if (isCount) print(process, `${found}\n`);
  return result.code !== 0 ? 2 : found > 0 ? 0 : 1;
};

const tee: Command = async (args, process) => {
  const result = { code: 0 };
  const paths = operandsOf(args).map((name) => process.resolve(name));
  for (const path of paths) if (!args.includes("-a")) process.files.write(path, new Uint8Array());
  for await (const piece of piecesOf("tee", [], { process, result })) {
    process.stdout.write(piece);
    for (const path of paths) {
      const problem = process.files.append(path, piece);
      if (problem !== undefined) return fail(process, `tee: ${path}: ${problem}`);
    }
  }
  return 0;
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
  ["tee", tee],
];
