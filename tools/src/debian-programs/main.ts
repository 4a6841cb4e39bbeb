// npm run tool -- debian-programs: see `usage`.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { runProgram } from "../clients/index.js";
import { writeImageArchive, writeImages } from "../images/index.js";
import { endWithStarter, missingForContainers, ownNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { cacheDirectory, ensureProgram } from "../upstream/index.js";
import { planProgramImages, planProgramsBase } from "./plan-program-images.js";
import { runStory } from "./run-story.js";

const usage = `npm run tool -- debian-programs [flags]

nginx, redis and postgres of Debian's packages as images on \`coxswain up --runtime containerd --nodes 2\`, in namespaces of its own (root):
a page through a Service by its name, data on claims that are there after the node's restart and after a kill -9 of everything, and a
chart that nobody here wrote (redis of groundhog2k/helm-charts).

  --charts DIR       has a checkout of groundhog2k/helm-charts by its owner and name; without it there is no chart
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const baseFile = join(cacheDirectory(), "nodes", "debian-programs-base-1.tar");
const archive = join(cacheDirectory(), "nodes", "debian-programs-2.tar");

/** A file that appears whole or not at all. */
async function whole(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.partial-${process.pid}`;
  await write(partial);
  await rename(partial, file);
}

async function makeBase(): Promise<void> {
  if (existsSync(baseFile)) return;
  print("making the root file system of the images (two minutes)");
  await whole(baseFile, async (partial) => {
    const [program = "", ...args] = planProgramsBase(partial);
    const { code, stderr } = await runProgram(program, args);
    if (code !== 0) throw new Error(`${program}: ${stderr.trim()}`);
  });
}

/** Outside of the namespaces, where there is a network. */
async function makeImages(): Promise<void> {
  if (existsSync(archive)) return;
  const folder = await mkdtemp(join(tmpdir(), "debian-programs-"));
  try {
    await makeBase();
    await writeImages(join(folder, "layout"), planProgramImages(baseFile));
    await whole(archive, (partial) => writeImageArchive(join(folder, "layout"), partial));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { values: options } = parseArgs({
  options: {
    charts: { type: "string" },
    coxswain: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (options.help) print(usage);
else if (ownNamespaces() !== undefined) {
  endWithStarter();
  await runProgram("ip", ["link", "set", "lo", "up"]); // as on every machine
  const helm = options.charts === undefined ? undefined : await ensureProgram("helm");
  const kubectl = await ensureProgram("kubectl");
  const { charts, coxswain: launcher } = options;
  process.exitCode = await runStory({ archive, kubectl, helm, charts, launcher, print });
} else {
  const missing = missingForContainers();
  if (missing === undefined) {
    for (const name of ["kubectl", ...(options.charts === undefined ? [] : (["helm"] as const))] as const)
      await ensureProgram(name);
    await makeImages();
    process.exitCode = await runInOwnNamespaces();
  } else {
    print(`missing: ${missing}`);
    process.exitCode = 2;
  }
}
