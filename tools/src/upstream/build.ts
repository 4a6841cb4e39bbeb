import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDirectory } from "./cache-directory.js";
import { kubernetesGoMod, projectGoMod } from "./go-module.js";
import type { ModuleName, ProgramName } from "./programs.js";
import { etcdVersion, kubernetesVersion, linkerFlags, programs } from "./programs.js";

export interface BuildOptions {
  /** Receives one line per step of a build that takes minutes. @default writes to standard error */
  progress?: (line: string) => void;
}

const root = (): string => join(cacheDirectory(), "upstream", kubernetesVersion);
const binary = (name: ProgramName): string => join(root(), "bin", name);
const stampFile = (name: ProgramName): string => `${binary(name)}.stamp`;

/** Records what a program was built from; a program whose stamp differs is built again. */
function stampOf(name: ProgramName): string {
  const { module, package: main, isStatic = false, tags = [] } = programs[name];
  const recipe = [kubernetesVersion, etcdVersion, main, linkerFlags(module), ...tags, ...(isStatic ? ["static"] : [])];
  return createHash("sha256").update(recipe.join("\n")).digest("hex");
}

/** The program if it has been built, without building it. */
export function cachedProgram(name: ProgramName): string | undefined {
  const path = binary(name);
  if (!existsSync(path) || !existsSync(stampFile(name))) return undefined;
  return readFileSync(stampFile(name), "utf8") === stampOf(name) ? path : undefined;
}

/**
 * Path of one of upstream's programs, built from published Go modules on first use (several minutes; needs Go and,
 * the first time, the network). Safe to call from several processes at once: a program appears whole or not at all.
 */
export async function ensureProgram(name: ProgramName, options: BuildOptions = {}): Promise<string> {
  const cached = cachedProgram(name);
  if (cached !== undefined) return cached;
  const progress = options.progress ?? ((line: string) => process.stderr.write(`${line}\n`));
  const { module, package: main, isTest = false, isStatic = false, tags = [] } = programs[name];
  const folder = await ensureModule(module, progress);
  const target = binary(name);
  const partial = `${target}.partial-${process.pid}`;
  await mkdir(join(root(), "bin"), { recursive: true });
  progress(`building ${name} (${main}); the first time this takes minutes`);
  try {
    await go(
      [
        // Vet reads all packages below once more, and finds nothing in a release.
        ...(isTest ? ["test", "-c", "-vet=off"] : ["build"]),
        "-p",
        "2",
        "-trimpath",
        ...(tags.length > 0 ? ["-tags", tags.join(",")] : []),
        "-ldflags",
        linkerFlags(module),
        "-o",
        partial,
        main,
      ],
      folder,
      isStatic ? { CGO_ENABLED: "0" } : {},
    );
    await rename(partial, target);
    await writeFile(stampFile(name), stampOf(name));
  } finally {
    await rm(partial, { force: true });
  }
  progress(`built ${name}`);
  return target;
}

/** The folder with a tidy go.mod and go.sum for a module. */
async function ensureModule(module: ModuleName, progress: (line: string) => void): Promise<string> {
  const folder = join(root(), "module", module);
  const wanted = await goModOf(module);
  const source = join(folder, "go.mod.source");
  // `go mod tidy` rewrites go.mod, so what it was made from is kept beside it.
  const tidied =
    existsSync(join(folder, "go.sum")) && existsSync(source) && (await readFile(source, "utf8")) === wanted;
  if (tidied) return folder;
  progress(`resolving the Go module of ${module}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "go.mod"), wanted);
  await go(["mod", "tidy"], folder);
  await writeFile(source, wanted);
  return folder;
}

async function goModOf(module: ModuleName): Promise<string> {
  const query = ["mod", "download", "-json", `k8s.io/kubernetes@${kubernetesVersion}`];
  const { stdout } = await promisify(execFile)("go", query, { cwd: tmpdir(), maxBuffer: 1 << 20 });
  const upstream = await readFile((JSON.parse(stdout) as { GoMod: string }).GoMod, "utf8");
  const goVersion = /^go (\S+)$/m.exec(upstream)?.[1] ?? "1.26.0";
  return module === "kubernetes" || module === "suite" || module === "nodes"
    ? kubernetesGoMod(upstream, module)
    : projectGoMod(module, goVersion);
}

function go(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    // Builds give way to whatever else the machine does.
    const child = spawn("nice", ["go", ...args], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...env },
    });
    let tail = "";
    child.stderr.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-8000)));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`go ${args[0]} failed in ${cwd}:\n${tail}`)),
    );
  });
}
