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
const archive = join(cacheDirectory(), "nodes", "debian-programs-1.tar");

/** Outside of the namespaces, where there is a network. */
async function makeImages(): Promise<void> {
  if (existsSync(archive)) return;
  const folder = await mkdtemp(join(tmpdir(), "debian-programs-"));
  try {
    const base = join(folder, "base.tar");
    print("making the images (two minutes)");
    const [program = "", ...args] = planProgramsBase(base);
    const { code, stderr } = await runProgram(program, args);
    if (code !== 0) throw new Error(`${program}: ${stderr.trim()}`);
    await writeImages(join(folder, "layout"), planProgramImages(base));
    await mkdir(dirname(archive), { recursive: true });
    await writeImageArchive(join(folder, "layout"), `${archive}.partial-${process.pid}`);
    await rename(`${archive}.partial-${process.pid}`, archive);
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
