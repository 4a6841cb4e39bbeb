import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../clients/index.js";
import { type E2eFacts, planDebianBase, planE2eImages, writeImages } from "../images/index.js";
import { ensureProgram, kubernetesVersion, moduleFolder } from "../upstream/index.js";
import { baseFile, imagesFolder, staticProgram } from "./node-files.js";
import { nodePrograms } from "./node-parts.js";
import { missingPackages, planInstall } from "./packages.js";

const sources = join(dirname(fileURLToPath(import.meta.url)), "../../images");

/** Installs, builds and makes what nodes need, each only if it is missing. Needs root, Debian, Go and the network. */
export async function prepareNodes(print: (line: string) => void): Promise<void> {
  const missing = missingPackages(existsSync);
  if (missing.length > 0) {
    print(`installing ${missing.join(", ")}`);
    await run(planInstall(missing));
  }
  for (const name of nodePrograms) await ensureProgram(name, { progress: print });
  for (const name of ["pause", "shell"] as const)
    await make(staticProgram(name), (partial) =>
      run(["gcc", "-Os", "-static", "-s", "-o", partial, join(sources, `${name}.c`)]),
    );
  await make(baseFile(), (partial) => {
    print("making the root file system of the images (a minute)");
    return run(planDebianBase(partial));
  });
  await make(imagesFolder(), async (partial) => {
    print("making the images of the suite");
    await writeImages(partial, planE2eImages(await e2eFacts()));
  });
}

/** A file or folder that appears whole or not at all. */
async function make(path: string, how: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) return;
  const partial = `${path}.partial-${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await how(partial);
    await rename(partial, path);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function e2eFacts(): Promise<E2eFacts> {
  const testImages = join(await moduleFolder(`k8s.io/kubernetes@${kubernetesVersion}`), "test/images");
  const names = ["agnhost", "coredns", "etcd", "nonewprivs", "regression-issue-74839", "sample-apiserver"] as const;
  const built = await Promise.all(names.map(async (name) => [name, await ensureProgram(name)] as const));
  const applets = await runProgram("/bin/busybox", ["--list"]);
  const pagesOf = (name: string): Promise<string[]> => readdir(join(testImages, name, "html"));
  return {
    base: baseFile(),
    busybox: "/bin/busybox",
    applets: applets.stdout.trim().split("\n"),
    shell: { program: staticProgram("shell"), bash: "/bin/bash-static" },
    programs: {
      ...(Object.fromEntries(built) as Record<(typeof names)[number], string>),
      pause: staticProgram("pause"),
    },
    sources: testImages,
    pages: { kitten: await pagesOf("kitten"), nautilus: await pagesOf("nautilus") },
  };
}

async function run(command: readonly string[]): Promise<void> {
  const [program = "", ...args] = command;
  const { code, stderr } = await runProgram(program, args);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${stderr.trim().slice(-2000)}`);
}
