import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory } from "../upstream/index.js";

const sources = join(dirname(fileURLToPath(import.meta.url)), "../../gateway-conformance");

/** The Gateway API's suite as a program. Builds it if need be: that takes minutes, Go and, the first time, the network. */
export const ensureSuite = (print: (line: string) => void): string =>
  ensureBuilt("gateway-conformance", print, (path) => go(["test", "-c", "-vet=off", "-o", path, "."]));

/** Its backend, for containers; built likewise. */
export const ensureBackend = (print: (line: string) => void): string =>
  ensureBuilt("gateway-echo-basic", print, (path) =>
    go(["build", "-trimpath", "-o", path, "sigs.k8s.io/gateway-api/conformance/echo-basic"], { CGO_ENABLED: "0" }),
  );

/** A program that is named after its module's files. */
function ensureBuilt(name: string, print: (line: string) => void, build: (path: string) => void): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(sources).sort()) hash.update(file).update(readFileSync(join(sources, file)));
  const path = join(cacheDirectory(), "programs", `${name}-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(path)) return path;
  print(`building ${name}: this takes minutes`);
  mkdirSync(dirname(path), { recursive: true });
  build(`${path}.partial`);
  renameSync(`${path}.partial`, path);
  return path;
}

/** The definitions of the standard channel, one file each, of the release that the suite is for. */
export function definitionFiles(): string[] {
  const folder = join(go(["list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api"]).trim(), "config/crd/standard");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
    .map((file) => join(folder, file));
}

function go(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const ran = spawnSync("go", args, {
    cwd: sources,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (ran.status !== 0)
    throw new Error(`go ${args[0]} failed in ${sources}${ran.error ? `: ${ran.error.message}` : ""}`);
  return ran.stdout;
}
