import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory } from "../upstream/index.js";

/** Small Go programs of ours, by the folder of their sources below tools: they put upstream's libraries to work against a server, or answer for them. */
const folders = {
  "all-informers": "programs/all-informers",
  envtest: "programs/envtest",
  informer: "programs/informer",
  "informer-sync": "programs/informer-sync",
  reconciler: "programs/reconciler",
  "kinds-answers": "answers/kinds",
  "webhook-server": "programs/webhook-server",
  "csi-mock": "programs/csi-mock",
  "library-clients": "programs/library-clients",
  "store-robustness": "programs/store-robustness",
  "scheduler-answers": "answers/scheduler",
} as const;
export type OwnProgram = keyof typeof folders;
export const ownPrograms = Object.keys(folders) as readonly OwnProgram[];

const tools = join(dirname(fileURLToPath(import.meta.url)), "../..");
const sourcesOf = (name: OwnProgram): string => join(tools, folders[name]);

/** Named after its sources, so that a changed program is another one. */
function target(name: OwnProgram): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(sourcesOf(name)).sort())
    hash.update(file).update(readFileSync(join(sourcesOf(name), file)));
  return join(cacheDirectory(), "programs", `${name}-${hash.digest("hex").slice(0, 16)}`);
}

/** The program if it has been built, without building it. */
export function cachedOwnProgram(name: OwnProgram): string | undefined {
  return existsSync(target(name)) ? target(name) : undefined;
}

/** Builds it if need be; needs Go and, the first time, the network. */
export function ensureOwnProgram(name: OwnProgram): string {
  const path = target(name);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const built = spawnSync("go", ["build", "-o", `${path}.partial`, "."], {
    cwd: sourcesOf(name),
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (built.status !== 0) throw new Error(`go build of ${name} failed${built.error ? `: ${built.error.message}` : ""}`);
  renameSync(`${path}.partial`, path);
  return path;
}
