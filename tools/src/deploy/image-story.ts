import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packPackages, publishedPackages } from "../pack/index.js";
import { buildImage, type Image } from "./build-image.js";
import { readDockerfile } from "./dockerfile.js";
import { Machine } from "./machine.js";
import { askWithKubectl, type Story } from "./story.js";

/** deploy/docker/Dockerfile, as its comment has it: packed, built, run, stopped, and run again on the same volume. */
export async function buildAndRunImage(story: Story): Promise<Image> {
  const { workspace, base, folder, print } = story;
  const context = join(folder, "context");
  const tarballs = await packPackages(workspace, publishedPackages(workspace), context);
  print(`packed ${tarballs.length} packages`);
  const stages = readDockerfile(readFileSync(join(workspace, "deploy/docker/Dockerfile"), "utf8"));
  const to = join(folder, "image");
  await mkdir(to);
  const image = await buildImage({ stages, context, base, to, print });
  const kubeconfig = join(image.root, "data/kubeconfig");
  await runImage(image, async (machine) => {
    const ask = (line: string): Promise<string> => askWithKubectl(story, machine, { kubeconfig, line });
    await ask("wait --for=condition=Ready nodes --all --timeout=60s");
    const nodes = (await ask("get nodes --output=name")).trim().split("\n").length;
    await ask("create configmap kept");
    print(`a client outside of the container sees ${nodes} nodes, and leaves an object`);
  });
  await runImage(image, async (machine) => {
    await askWithKubectl(story, machine, { kubeconfig, line: "get configmap kept" });
    print("another container with the same volume has the object");
  });
  return image;
}

/** As `docker run` and `docker stop`. @throws Error where it does not end with 0 */
async function runImage(
  { root, argv, env, folder, user }: Image,
  work: (machine: Machine) => Promise<void>,
): Promise<void> {
  const machine = await Machine.start({ root, init: "shell" });
  try {
    const child = machine.begin(argv, { env, folder, user });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
    const isOver = once(child, "close");
    while (!output.includes("stops it")) {
      if (child.exitCode !== null) throw new Error(`the container ended with ${child.exitCode}: ${output}`);
      await sleep(100);
    }
    await work(machine);
    // To the program, as Docker does: nsenter itself passes nothing on.
    await machine.do(["sh", "-c", `kill -TERM $(pgrep -o -u ${user} node || pgrep -o node)`]);
    const [code] = (await isOver) as [number | null];
    if (code !== 0) throw new Error(`the container ended with ${code}: ${output}`);
  } finally {
    await machine.stop();
  }
}
