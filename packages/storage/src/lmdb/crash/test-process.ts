import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const bundled = new Map<string, Promise<string>>();
const here = dirname(fileURLToPath(import.meta.url));

/** A source file, named from this folder, made into one that node runs as it is; tests run on the sources, and node cannot. */
export function bundle(name: string): Promise<string> {
  const made = bundled.get(name) ?? make(name);
  bundled.set(name, made);
  return made;
}

async function make(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, `${name}.ts`)],
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["coxswain-source"],
    external: ["lmdb"],
    logLevel: "error",
  });
  const code = outputFiles[0]!.contents;
  // Inside the package, so that what is not bundled is found; by its content, so that tests side by side do not disturb each other.
  const folder = join(here, "..", "..", "..", "dist", "test-processes");
  const file = join(folder, `${basename(name)}-${createHash("sha1").update(code).digest("hex").slice(0, 12)}.mjs`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, code);
  await rename(`${file}.${process.pid}`, file);
  return file;
}

export interface TestProcess {
  readonly child: ChildProcess;
  /** All lines that it wrote before it ended. */
  readonly lines: Promise<string[]>;
  readonly errors: () => string;
}

export async function startProcess(
  name: string,
  args: readonly string[],
  options: {
    readonly env?: NodeJS.ProcessEnv;
    readonly wrap?: readonly string[];
    readonly onLine?: (line: string) => void;
  } = {},
): Promise<TestProcess> {
  const [command = "", ...rest] = [...(options.wrap ?? []), process.execPath, await bundle(name), ...args];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...options.env } });
  let text = "";
  let errors = "";
  let read = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n", read); end >= 0; end = text.indexOf("\n", read)) {
      options.onLine?.(text.slice(read, end));
      read = end + 1;
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  // A line cut off by the kill was never complete, and does not count.
  const lines = once(child, "close").then(() => text.split("\n").slice(0, -1));
  return { child, lines, errors: () => errors };
}

export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), "coxswain-store-"));
