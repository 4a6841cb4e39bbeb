import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { makeDirectory } from "@coxswain/component/files";
import type { Clock } from "@coxswain/runtime/clock";
import type { LineWriter } from "./log-backend.js";

export interface RotationOptions {
  /** A file that would grow beyond this is set aside. 0: it grows for ever. */
  readonly maxBytes: number;
  /** Files set aside longer ago are removed. 0: none is for its age. */
  readonly maxAgeDays: number;
  /** So many are kept. 0: all of them. */
  readonly maxBackups: number;
  readonly compress: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A file for its owner's eyes that is appended to. Set aside it is called `audit-2006-01-02T15-04-05.000.log`, with `.gz` when it is compressed. */
export function openRotatingFile(
  path: string,
  options: RotationOptions,
  clock: Clock,
  onProblem: (problem: unknown) => void,
): LineWriter {
  const { maxBytes } = options;
  makeDirectory(dirname(path));
  let file = openSync(path, "a", 0o600);
  let size = fstatSync(file).size;

  /** Where that fails, the file that is open stays in use. */
  function rotate(): void {
    const aside = asideName(path, clock.now());
    if (existsSync(aside)) throw new Error(`there is a file ${aside} already`);
    renameSync(path, aside);
    const old = file;
    file = openSync(path, "a", 0o600);
    size = 0;
    closeSync(old);
    tidy(path, aside, options, clock.now()).catch(onProblem);
  }

  return {
    write(text) {
      const bytes = Buffer.from(text);
      if (maxBytes > 0 && bytes.length > maxBytes)
        throw new Error(`write length ${bytes.length} exceeds maximum file size ${maxBytes}`);
      if (maxBytes > 0 && size > 0 && size + bytes.length > maxBytes) rotate();
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      size += bytes.length;
    },
    close: () => closeSync(file),
  };
}

function asideName(path: string, now: number): string {
  const end = extname(path);
  const time = new Date(now).toISOString().slice(0, -1).replaceAll(":", "-");
  return join(dirname(path), `${basename(path, end)}-${time}${end}`);
}

/** Compresses the file just set aside, then removes those that are too many or too old. */
async function tidy(
  path: string,
  aside: string,
  { compress, maxAgeDays, maxBackups }: RotationOptions,
  now: number,
): Promise<void> {
  if (compress) {
    await pipeline(createReadStream(aside), createGzip(), createWriteStream(`${aside}.gz`, { mode: 0o600 }));
    rmSync(aside);
  }
  const oldest = maxAgeDays > 0 ? now - maxAgeDays * dayMs : Number.NEGATIVE_INFINITY;
  asideFiles(path)
    .filter(({ time }, index) => time < oldest || (maxBackups > 0 && index >= maxBackups))
    .forEach(({ file }) => rmSync(file, { force: true }));
}

/** Newest first. */
function asideFiles(path: string): { file: string; time: number }[] {
  const end = extname(path);
  const start = `${basename(path, end)}-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && (name.endsWith(end) || name.endsWith(`${end}.gz`)))
    .map((name) => ({ file: join(dirname(path), name), time: timeIn(name.slice(start.length)) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => b.time - a.time);
}

function timeIn(name: string): number {
  const [, date, hour, minute, second] = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})/.exec(name) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}${hour}:${minute}:${second}Z`);
}
