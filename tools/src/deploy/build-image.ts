import { cpSync, mkdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { command, makeNodeRoot, npmSettings } from "./debian-root.js";
import type { BuildStep, Stage } from "./dockerfile.js";
import { Machine } from "./machine.js";

/** What a container of the image starts with. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** 0, or that of the user `node`. */
  readonly user: number;
  readonly argv: readonly string[];
}

interface BuildOptions {
  readonly stages: readonly Stage[];
  /** The folder that COPY takes files from. */
  readonly context: string;
  /** Of the image that stages begin with: Debian with Node here. */
  readonly base: string;
  /** Where the stages' root file systems go. */
  readonly to: string;
  readonly print: (line: string) => void;
}

interface State {
  readonly root: string;
  env: Readonly<Record<string, string>>;
  folder: string;
  user: number;
  entrypoint: readonly string[];
  command: readonly string[];
}

/** Carries out the instructions of a Dockerfile without Docker: each stage is a folder, and RUN runs in it as on a machine of its own that is online. */
export async function buildImage({ stages, context, base, to, print }: BuildOptions): Promise<Image> {
  const roots = new Map<string, string>();
  let state: State | undefined;
  for (const { name, from, steps } of stages) {
    const root = join(to, name);
    print(`FROM ${from} AS ${name}: Debian 12 with this machine's Node ${process.version}`);
    await makeNodeRoot(base, root);
    roots.set(name, root);
    state = {
      root,
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
      folder: "/",
      user: 0,
      entrypoint: [],
      command: [],
    };
    for (const step of steps) await perform(step, state, { context, roots, print });
  }
  if (state === undefined) throw new Error("there is no stage");
  const { root, env, folder, user, entrypoint, command: words } = state;
  return { root, env, folder, user, argv: [...entrypoint, ...words] };
}

async function perform(
  step: BuildStep,
  state: State,
  { context, roots, print }: { context: string; roots: ReadonlyMap<string, string>; print: (line: string) => void },
): Promise<void> {
  const { root } = state;
  switch (step.do) {
    case "run": {
      print(`RUN ${step.script}`);
      const machine = await Machine.start({ root, init: "shell" });
      try {
        const { env, folder, user } = state;
        const inBuild = { ...(await npmSettings()), ...env };
        await machine.do(["/bin/sh", "-c", step.script], { env: inBuild, folder, user, isOnline: true });
      } finally {
        await machine.stop();
      }
      return;
    }
    case "copy": {
      const from = step.from === undefined ? context : roots.get(step.from);
      if (from === undefined) throw new Error(`there is no stage ${step.from}`);
      const patterns = step.sources.map((pattern) => pattern.replace(/^\//, "")).join(" ");
      const sources = (await command("sh", ["-c", 'cd "$0" && ls -d $1', from, patterns])).trim().split("\n");
      print(`COPY ${sources.join(" ")} ${step.to}`);
      for (const source of sources) copy(join(from, source), join(root, step.to), step.to.endsWith("/"));
      return;
    }
    case "set": {
      const before = state.env;
      const values = Object.entries(step.values).map(([name, value]) => [
        name,
        value.replace(/\$(\w+)/g, (_, other: string) => before[other] ?? ""),
      ]);
      state.env = { ...before, ...Object.fromEntries(values) };
      return;
    }
    case "folder":
      state.folder = step.value;
      await mkdir(join(root, step.value), { recursive: true });
      return;
    case "user":
      state.user = Number(
        (await command("awk", ["-F:", `$1 == "${step.value}" { print $3 }`, join(root, "etc/passwd")])).trim(),
      );
      return;
    case "entrypoint":
      state.entrypoint = step.argv;
      return;
    case "command":
      state.command = step.argv;
  }
}

/** As COPY has it: a folder's content into a folder, a file to a path, or into a folder whose path ends with a slash. */
function copy(source: string, target: string, isInto: boolean): void {
  const isFolder = statSync(source).isDirectory();
  const to = isInto && !isFolder ? join(target, basename(source)) : target;
  mkdirSync(isFolder ? to : dirname(to), { recursive: true });
  cpSync(source, to, { recursive: true, verbatimSymlinks: true });
}
