import { createGzip, gunzipped } from "./gzip-streams.js";
import { type Command, charge, fail, pace, print, readPiece, type ShellProcess } from "./shell-process.js";
import { inputOf } from "./streams.js";
import { blockBytes, longName, padding, paxPath, readTarHeader, type TarHeader, writeTarHeader } from "./tar-format.js";

/** What a pod may name at most: PATH_MAX of Linux, and the rest of a pax header. */
const maxNameBytes = 16 * 1024;

interface TarCall {
  readonly mode: "c" | "x" | "t";
  /** "-": the input or the output. */
  readonly archive: string;
  readonly directory: string;
  readonly isVerbose: boolean;
  /** By gzip. */
  readonly isCompressed: boolean;
  readonly names: readonly string[];
}

/** Undefined: there is something in it that this tar does not have. */
function parseCall(args: readonly string[]): TarCall | { readonly unknown: string } {
  const flags = { isVerbose: false, isCompressed: false };
  const call = { mode: undefined as TarCall["mode"] | undefined, archive: "-", directory: ".", ...flags };
  const names: string[] = [];
  const [first = "", ...others] = args;
  // `tar cf -`: the first word may do without its dash.
  const words = first.startsWith("-") ? [...args] : [`-${first}`, ...others];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (/^--(?:no-same-(?:owner|permissions)|same-\w+|overwrite|touch|warning=.*)$/.test(word)) continue;
    if (word.startsWith("--")) return { unknown: word };
    if (!word.startsWith("-") || word === "-") {
      names.push(word);
      continue;
    }
    for (const letter of word.slice(1)) {
      if (letter === "c" || letter === "x" || letter === "t") call.mode = letter;
      else if (letter === "f") call.archive = words[++at] ?? "-";
      else if (letter === "C") call.directory = words[++at] ?? ".";
      else if (letter === "v") call.isVerbose = true;
      else if (letter === "z") call.isCompressed = true;
      else if (!"mpohk".includes(letter)) return { unknown: `-${letter}` };
    }
  }
  return call.mode ? { ...call, mode: call.mode, names } : { unknown: "no mode" };
}

export const tar: Command = async (args, process) => {
  const call = parseCall(args);
  if ("unknown" in call) return fail(process, `tar: ${call.unknown}: this simulated tar has c, x, t, f, z, C and v`);
  const target = process.resolve(call.directory);
  if (!process.files.isDirectory(target))
    return fail(process, `tar: can't change directory to '${call.directory}': No such file or directory`);
  return call.mode === "c" ? create(call, target, process) : extract(call, target, process);
};

/** Blocks of what is read, whatever pieces it comes in. */
class BlockReader {
  readonly #process: ShellProcess;
  #held = new Uint8Array();

  constructor(process: ShellProcess) {
    this.#process = process;
  }

  /** At most so many bytes that are there; undefined: there is no more. */
  async some(most: number): Promise<Uint8Array | undefined> {
    if (this.#held.length === 0) {
      const piece = await readPiece(this.#process);
      if (!piece) return undefined;
      this.#held = new Uint8Array(piece);
    }
    const part = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(part.length);
    charge(this.#process, part.length);
    await pace(this.#process);
    return part;
  }

  /** Exactly so many bytes, for what is small. @throws Error where the archive ends before */
  async all(size: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let left = size; left > 0; ) {
      const part = await this.some(left);
      if (!part) throw new Error("short read");
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async pass(size: number, take: (part: Uint8Array) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      const part = await this.some(left);
      if (!part) throw new Error("short read");
      take(part);
      left -= part.length;
    }
  }
}

async function extract(call: TarCall, target: string, process: ShellProcess): Promise<number> {
  let from = process;
  if (call.archive !== "-") {
    const content = process.files.read(process.resolve(call.archive));
    if (!content) return fail(process, `tar: can't open '${call.archive}': No such file or directory`);
    from = { ...process, stdin: inputOf(content) };
  }
  const reader = new BlockReader(call.isCompressed ? { ...from, stdin: gunzipped(from) } : from);
  const result = { code: 0 };
  try {
    let name: string | undefined;
    for (let header = await nextHeader(reader); header; header = await nextHeader(reader)) {
      if (header.type === "L" || header.type === "x" || header.type === "g") {
        if (header.size > maxNameBytes) throw new Error("header too long");
        const content = await reader.all(header.size);
        await reader.all(padding(header.size).length);
        if (header.type !== "g") name = header.type === "L" ? longName(content) : (paxPath(content) ?? name);
        continue;
      }
      await member(call, { ...header, name: name ?? header.name }, { reader, target, process, result });
      name = undefined;
    }
    // The writer of the archive is not to be cut off.
    while (await reader.some(blockBytes));
    return result.code;
  } catch (error) {
    process.session.signal.throwIfAborted();
    return fail(process, `tar: ${(error as Error).message}`);
  }
}

async function nextHeader(reader: BlockReader): Promise<TarHeader | undefined> {
  const first = await reader.some(blockBytes);
  if (!first) return undefined;
  const rest = first.length < blockBytes ? await reader.all(blockBytes - first.length) : new Uint8Array();
  return readTarHeader(Buffer.concat([first, rest]));
}

interface MemberContext {
  readonly reader: BlockReader;
  readonly target: string;
  readonly process: ShellProcess;
  readonly result: { code: number };
}

/** One member: what cannot be written is reported, and the others follow. Names lead nowhere but below the directory. */
async function member(
  { mode, isVerbose, names }: TarCall,
  { name, size, type, mode: bits }: TarHeader,
  { reader, target, process, result }: MemberContext,
): Promise<void> {
  const relative = name
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  const isWanted = names.length === 0 || names.some((each) => relative === each || relative.startsWith(`${each}/`));
  if (isWanted && (mode === "t" || isVerbose)) print(process, `${name}\n`);
  const isOutside = relative.split("/").includes("..");
  const path = `${target === "/" ? "" : target}/${relative}`;
  let problem: string | undefined;
  const isFile = type === "0" || type === "7";
  const writes = mode === "x" && isWanted && relative !== "" && !isOutside;
  if (mode === "x" && isWanted && isOutside) problem = "name contains '..'";
  if (writes && type === "5") problem = process.files.makeDirectory(path);
  if (writes && isFile) problem = process.files.write(path, new Uint8Array());
  if (writes && !isFile && type !== "5") problem = "links and devices are not supported in simulated containers";
  await reader.pass(size, (part) => {
    if (writes && isFile && problem === undefined) problem = process.files.append(path, part);
  });
  await reader.all(padding(size).length);
  if (writes && isFile && problem === undefined) process.files.setMode(path, bits & 0o777);
  if (problem !== undefined) result.code = fail(process, `tar: can't create '${relative}': ${problem}`);
}

async function create(call: TarCall, target: string, process: ShellProcess): Promise<number> {
  const path = call.archive === "-" ? undefined : process.resolve(call.archive);
  if (path !== undefined) process.files.write(path, new Uint8Array());
  let problem: string | undefined;
  const put = (bytes: Uint8Array): void => {
    if (path === undefined) process.stdout.write(bytes);
    else problem ??= process.files.append(path, bytes);
  };
  const gzip = call.isCompressed ? createGzip(put) : undefined;
  const write = (bytes: Uint8Array): void => {
    charge(process, bytes.length * (gzip ? 16 : 4));
    (gzip?.write ?? put)(bytes);
  };
  let code = 0;
  for (const name of call.names) {
    // As all tars do: archives have no absolute names.
    const stored = name.replace(/^\/+/, "");
    const from = name.startsWith("/") ? process.resolve(name) : process.resolve(`${target}/${name}`);
    if (!(await add(from, stored, { process, write, isVerbose: call.isVerbose })))
      code = fail(process, `tar: ${name}: No such file or directory`);
  }
  write(new Uint8Array(2 * blockBytes));
  gzip?.end();
  return problem === undefined ? code : fail(process, `tar: ${problem}`);
}

interface AddContext {
  readonly process: ShellProcess;
  readonly isVerbose: boolean;
  write(bytes: Uint8Array): void;
}

/** A file, or a directory with all that is in it; false: there is none. */
async function add(path: string, name: string, context: AddContext): Promise<boolean> {
  const { process, write, isVerbose } = context;
  const modifiedAt = process.runtime.clock.now();
  const content = process.files.read(path);
  if (isVerbose) process.stderr.write(Buffer.from(`${name}\n`));
  if (content) {
    write(
      writeTarHeader({ name, mode: process.files.mode(path) ?? 0o644, size: content.length, type: "0", modifiedAt }),
    );
    for (let at = 0; at < content.length; at += 16_384) {
      write(content.subarray(at, at + 16_384));
      await pace(process);
    }
    write(padding(content.length));
    return true;
  }
  if (!process.files.isDirectory(path)) return false;
  write(writeTarHeader({ name: `${name === "" ? "." : name}/`, mode: 0o755, size: 0, type: "5", modifiedAt }));
  await pace(process);
  for (const each of process.files.list(path))
    await add(path === "/" ? `/${each}` : `${path}/${each}`, name === "" ? each : `${name}/${each}`, context);
  return true;
}
