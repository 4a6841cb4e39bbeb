import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareSnapshots, takeSnapshot } from "../nodes/index.js";
import { objects } from "./manifests.js";
import { programImages } from "./plan-program-images.js";
import { programsOf, replaceProgram } from "./replace-programs.js";
import { expectText, type Programs, type StoryCommands, storyCommands } from "./story-commands.js";

export interface StoryOptions extends Programs {
  /** With the images. */
  readonly archive: string;
  /** With checkouts of charts; undefined: none is installed. */
  readonly charts: string | undefined;
  print(line: string): void;
}

interface Step {
  readonly title: string;
  work(): Promise<unknown>;
}

const storyOf = (commands: StoryCommands, archive: string): readonly Step[] => [
  { title: "up with two nodes", work: () => commands.up() },
  { title: "images of nginx, redis and postgres", work: () => commands.coxswain("image", "load", archive) },
  {
    title: "their pods are ready",
    async work() {
      await commands.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
      await commands.ready();
    },
  },
  {
    title: "a page, a key and a table through Services by their names",
    async work() {
      expectText(await commands.ask("redis-cli", "-h", "cache", "set", "k", "kept"), "OK");
      await commands.sql("create table numbers as select generate_series(1, 1000) as n");
      await commands.everythingIsThere();
    },
  },
  {
    title: "down and up: all is there",
    async work() {
      await commands.coxswain("down");
      await commands.up();
      await commands.ready();
      await commands.everythingIsThere();
    },
  },
  {
    title:
      "containerd and node process of each node are ended one by one, and started again: no container is started anew",
    work: () => replacePrograms(commands),
  },
  {
    title: "a pod of each database is deleted: its data is there for the next",
    async work() {
      await commands.kubectl(["delete", "pod", "cache-0", "database-0"]);
      await commands.ready();
      await commands.everythingIsThere();
    },
  },
];

/** An upgrade of what a node consists of, with pods running on. */
async function replacePrograms(commands: StoryCommands): Promise<void> {
  const path = "jsonpath={.items[*].status.containerStatuses[*].containerID}";
  const containers = (): Promise<string> => commands.kubectl(["get", "pods", "-o", path]);
  const before = await containers();
  for (const node of ["coxswain-1", "coxswain-2"])
    for (const program of programsOf(node)) {
      await replaceProgram(program);
      await commands.everythingIsThere();
    }
  // Changed now, if at all: both kubelets have reported what they found.
  await commands.kubectl(["rollout", "restart", "deployment/web"]);
  await commands.ready();
  const after = await containers();
  const isKept = (id: string): boolean => after.includes(id);
  const kept = before.split(" ").filter(isKept).length;
  if (kept !== 3)
    throw new Error(`${kept} of the 3 containers of cache, database and shell are the same: ${before}; ${after}`);
}

/** Of groundhog2k/helm-charts, with Debian's redis as its image. */
function chartStep({ helm, ask }: StoryCommands, charts: string): Step {
  const chart = join(charts, "groundhog2k/helm-charts/charts/redis");
  const [, repository = "", tag = ""] = /^[^/]+\/(.*):(.*)$/.exec(programImages.redis) ?? [];
  const image = ["image.registry=localhost", `image.repository=${repository}`, `image.tag=${tag}`];
  const flags = [...image, "storage.requestedSize=100Mi"].flatMap((value) => ["--set", value]);
  const wait = ["--wait", "--timeout", "180s"];
  const cli = (...command: string[]): Promise<string> => ask("redis-cli", "-h", "chart-redis", ...command);
  return {
    title: "a chart of redis with a claim: installed, asked, upgraded, asked again, uninstalled",
    async work() {
      await helm("install", "chart", chart, ...flags, ...wait);
      expectText(await cli("set", "of", "chart"), "OK");
      expectText(await cli("save"), "OK");
      await helm("upgrade", "chart", chart, ...flags, "--set", "podAnnotations.look=again", ...wait);
      expectText(await cli("get", "of"), "chart");
      await helm("uninstall", "chart", "--wait");
    },
  };
}

/** Prints each step with its time, and answers an exit code. Only in namespaces of its own. */
export async function runStory(options: StoryOptions): Promise<number> {
  const { archive, charts, print } = options;
  const folder = mkdtempSync(join(tmpdir(), "debian-programs-"));
  const homes = { clusters: join(folder, "clusters"), user: join(folder, "user") };
  for (const home of Object.values(homes)) mkdirSync(home);
  const commands = storyCommands(options, homes);
  const before = await takeSnapshot(homes.clusters);
  const last: Step = {
    title: "down, and reset",
    async work() {
      await commands.coxswain("down");
      await commands.coxswain("reset", "--yes");
    },
  };
  if (charts === undefined) print("no chart: --charts names no folder");
  try {
    for (const { title, work } of [
      ...storyOf(commands, archive),
      ...(charts === undefined ? [] : [chartStep(commands, charts)]),
      last,
    ]) {
      const began = performance.now();
      await work();
      print(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${title}`);
    }
    const left = compareSnapshots(before, await takeSnapshot(homes.clusters));
    for (const line of left) print(line);
    return left.length === 0 ? 0 : 1;
  } catch (error) {
    print((error as Error).message);
    print(await commands.kubectl(["get", "pods,pvc,events", "-A"]).catch(String));
    await commands.coxswain("reset", "--yes").catch((failure: unknown) => print(String(failure)));
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
