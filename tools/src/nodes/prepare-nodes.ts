import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../clients/index.js";
import {
  type E2eFacts,
  type ImagesPlan,
  planDebianBase,
  planE2eImages,
  readRefs,
  writeImages,
} from "../images/index.js";
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
    await make(staticProgram(name), existsSync(staticProgram(name)), (partial) =>
      run(["gcc", "-Os", "-static", "-s", "-o", partial, join(sources, `${name}.c`)]),
    );
  await make(baseFile(), existsSync(baseFile()), (partial) => {
    print("making the root file system of the images (a minute)");
    return run(planDebianBase(partial));
  });
  const images = planE2eImages(await e2eFacts());
  const isCurrent = await holdsImages(imagesFolder(), images);
  await make(imagesFolder(), isCurrent, async (partial) => {
    print("making the images of the suite");
    await writeImages(partial, images);
  });
}

/** Whether a layout has all that is planned: one that was made for an older plan may not. */
async function holdsImages(folder: string, { images }: ImagesPlan): Promise<boolean> {
  if (!existsSync(join(folder, "index.json"))) return false;
  const there = await readRefs(folder);
  return images.every(({ refs }) => refs.every((ref) => there.has(ref)));
}

/**
 * A file or folder that appears whole or not at all. An older one is moved away once the new one is complete: a run that serves images
 * from it finds equal layers under equal names.
 */
async function make(path: string, isCurrent: boolean, how: (partial: string) => Promise<void>): Promise<void> {
  if (isCurrent) return;
  const [partial, older] = [`${path}.partial-${process.pid}`, `${path}.older-${process.pid}`];
  await mkdir(dirname(path), { recursive: true });
  try {
    await how(partial);
    if (existsSync(path)) await rename(path, older);
    await rename(partial, path);
  } finally {
    for (const left of [partial, older]) await rm(left, { recursive: true, force: true });
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
