import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, posix, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { NodeTransport } from "../http/index.js";
import { exec } from "./exec.js";
import type { RemoteCommand } from "./remote-command.js";
import { readTar } from "./tar-read.js";
import { type TarSource, writeTar } from "./tar-write.js";

export interface CopyOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string;
  /** In the container. */
  readonly path: string;
  /** Here: the same file or folder. */
  readonly localPath: string;
  readonly signal?: AbortSignal;
}

/** Copies a file or folder out of a container, which needs the program `tar`. Symbolic links and devices are left out. */
export async function copyFromPod(
  client: { sockets: NodeTransport },
  options: CopyOptions,
): Promise<{ files: number }> {
  const { path, localPath, ...pod } = options;
  const command = await exec(client, { ...pod, command: ["tar", "cf", "-", path], stderr: true });
  const errorText = text(command.stderr);
  const prefix = cleanPath(path);
  let files = 0;
  for await (const entry of readTar(command.stdout as AsyncIterable<Buffer>)) {
    const target = placeOf(entry.name, prefix, localPath);
    if (entry.type === "directory") await mkdir(target, { recursive: true });
    else if (entry.type === "file") {
      await mkdir(dirname(target), { recursive: true });
      await pipeline(Readable.from(entry.content), createWriteStream(target, { mode: entry.mode & 0o777 }));
      files++;
    }
  }
  await finish(command, errorText);
  return { files };
}

/** Copies a file or folder into a container, which needs the program `tar`. Symbolic links are followed. */
export async function copyToPod(client: { sockets: NodeTransport }, options: CopyOptions): Promise<{ files: number }> {
  const { path, localPath, ...pod } = options;
  const folder = posix.dirname(path);
  const command = await exec(client, { ...pod, command: ["tar", "-xmf", "-", "-C", folder], stdin: true });
  const errorText = text(command.stderr);
  command.stdout.resume();
  const counted = { files: 0 };
  await pipeline(Readable.from(writeTar(walk(resolve(localPath), posix.basename(path), counted))), command.stdin);
  await finish(command, errorText);
  return counted;
}

async function finish(command: RemoteCommand, errorText: Promise<string>): Promise<void> {
  const { exitCode } = await command.done;
  if (exitCode !== 0)
    throw new Error(`tar in the container failed with exit code ${exitCode}: ${(await errorText).trim()}`);
}

/**
 * Where an entry belongs. The archive comes from a container that may be hostile: whatever would be written outside of
 * the target is refused (kubectl's CVE-2019-1002101).
 */
function placeOf(name: string, prefix: string, localPath: string): string {
  const clean = cleanPath(name);
  const inside = clean === prefix ? "" : clean.startsWith(`${prefix}/`) ? clean.slice(prefix.length + 1) : undefined;
  const root = resolve(localPath);
  const target = inside === undefined ? undefined : resolve(root, inside);
  if (target === undefined || (target !== root && !target.startsWith(root + sep)))
    throw new Error(`the archive has an entry outside of ${prefix}: ${JSON.stringify(name)}`);
  return target;
}

/** Without slashes at either end. `normalize` leaves one of several; a hostile name may have millions. */
function cleanPath(path: string): string {
  const normal = posix.normalize(path);
  return normal.slice(normal.startsWith("/") ? 1 : 0, normal.length > 1 && normal.endsWith("/") ? -1 : undefined);
}

async function* walk(path: string, name: string, counted: { files: number }): AsyncGenerator<TarSource, void> {
  const facts = await stat(path);
  const mode = facts.mode & 0o777;
  if (facts.isDirectory()) {
    yield { name, type: "directory", mode, size: 0, content: Readable.from([]) };
    for (const child of (await readdir(path)).sort())
      yield* walk(join(path, child), `${name}/${basename(child)}`, counted);
  } else if (facts.isFile()) {
    counted.files++;
    yield { name, type: "file", mode, size: facts.size, content: createReadStream(path) };
  }
}
