import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, controllerToolsVersion, ensureProgram, kubebuilderVersion } from "../upstream/index.js";

/** Compiled tests of one package of the project. */
export interface Suite {
  readonly name: string;
  /** What `go test -c` has made. */
  readonly program: string;
  /** Where its package is: it looks for manifests beside it. */
  readonly folder: string;
}

/** A Go operator as kubebuilder scaffolds it, with one kind, its controller and its webhooks. */
export interface EnvtestProject {
  /** As they were scaffolded. */
  readonly generated: readonly Suite[];
  /** With code in place of the scaffolding, and specs of ours beside those that were generated. */
  readonly extended: readonly Suite[];
}

const additions = join(dirname(fileURLToPath(import.meta.url)), "../../programs/envtest-project");
/** Where the files of each folder of `additions` go, whose tests are compiled. */
const packages = { controller: "internal/controller", webhook: "internal/webhook/v1" } as const;
const folders = Object.keys(packages) as (keyof typeof packages)[];

/** Named after what it is made from, so that a change makes another one. */
function target(): string {
  const hash = createHash("sha256").update(`${kubebuilderVersion}\n${controllerToolsVersion}\n`);
  for (const folder of folders)
    for (const file of readdirSync(join(additions, folder)).sort())
      hash.update(file).update(readFileSync(join(additions, folder, file)));
  return join(cacheDirectory(), "programs", `envtest-project-${hash.digest("hex").slice(0, 16)}`);
}

const suitesIn = (root: string, state: keyof EnvtestProject): Suite[] =>
  folders.map((name) => ({
    name,
    program: join(root, `${state}-${name}.test`),
    folder: join(root, "ferry", packages[name]),
  }));

const projectIn = (root: string): EnvtestProject => ({
  generated: suitesIn(root, "generated"),
  extended: suitesIn(root, "extended"),
});

/** The project if it has been built, without building it. */
export const cachedEnvtestProject = (): EnvtestProject | undefined =>
  existsSync(target()) ? projectIn(target()) : undefined;

/** Scaffolds and compiles it if need be; needs Go and, the first time, the network and minutes. */
export async function ensureEnvtestProject(): Promise<EnvtestProject> {
  const path = target();
  if (existsSync(path)) return projectIn(path);
  const [kubebuilder, generator] = [await ensureProgram("kubebuilder"), await ensureProgram("controller-gen")];
  const partial = `${path}.partial-${process.pid}`;
  const project = join(partial, "ferry");
  mkdirSync(project, { recursive: true });
  const run = (command: string, ...args: string[]): Promise<void> => runIn(project, command, args);
  const kind = ["--group", "fleet", "--version", "v1", "--kind", "Ferry", "--make=false"];
  /** What `make manifests generate` does. */
  const generate = async (): Promise<void> => {
    const crds = "output:crd:artifacts:config=config/crd/bases";
    await run(generator, "rbac:roleName=manager-role", "crd", "webhook", "paths=./...", crds);
    await run(generator, "object:headerFile=hack/boilerplate.go.txt", "paths=./...");
  };
  const compile = async (state: keyof EnvtestProject): Promise<void> => {
    for (const { program, folder } of suitesIn(partial, state)) await run("go", "test", "-c", "-o", program, folder);
  };
  try {
    await run(kubebuilder, "init", "--domain", "example.com", "--repo", "example.com/ferry", "--project-name", "ferry");
    await run(kubebuilder, "create", "api", ...kind, "--resource", "--controller");
    await run(kubebuilder, "create", "webhook", ...kind, "--defaulting", "--programmatic-validation");
    await generate();
    await compile("generated");
    for (const folder of folders) cpSync(join(additions, folder), join(project, packages[folder]), { recursive: true });
    await generate();
    await compile("extended");
    renameSync(partial, path);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return projectIn(path);
}

function runIn(cwd: string, command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let tail = "";
    child.stderr.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-8000)));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")} failed in ${cwd}:\n${tail}`)),
    );
  });
}
