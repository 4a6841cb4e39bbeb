import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerdSocket, findHierarchies, planOwnMachine } from "@coxswain/machines";
import { runProgram } from "../clients/index.js";
import { planSmallImages, writeImageArchive, writeImages } from "../images/index.js";
import { type ManagedProcess, startProcess } from "../upstream/index.js";
import { ownNamespaces } from "./own-namespaces.js";
import { performSteps } from "./perform-steps.js";
import { createRestartable, type Restartable } from "./restartable.js";
import { startContainerd, writeCniConfig } from "./start-containerd.js";

/** `COXSWAIN_TEST_CONTAINERD=2.4`: that of `prepare nodes` instead of Debian's, with the runc that PATH leads to. */
const version = process.env["COXSWAIN_TEST_CONTAINERD"] === "2.4" ? "2.4" : "debian";

/** The namespaces of this process as a machine with a containerd and small images, for tests. */
export interface TestMachine {
  /** `unix://…`, for CRI. */
  readonly endpoint: string;
  /** The control group that pods belong below: a kubelet's `cgroupRoot`. */
  readonly cgroupRoot: string;
  /** Gone with the machine. */
  readonly folder: string;
  /** Folders of that group, in all hierarchies. */
  readonly cgroups: readonly string[];
  readonly containerd: Restartable;
}

let started: Promise<TestMachine> | undefined;

/**
 * One for all tests of the process; it ends with the namespaces. Only in namespaces of its own (`runTestsInNamespaces`): it mounts over
 * /var/lib, /var/log and /run.
 */
export const startTestMachine = (): Promise<TestMachine> => (started ??= makeTestMachine());

async function makeTestMachine(): Promise<TestMachine> {
  const namespaces = ownNamespaces();
  if (namespaces === undefined)
    throw new Error("a test machine is made in namespaces of its own: use runTestsInNamespaces");
  const folder = await mkdtemp(join(tmpdir(), "coxswain-machine-"));
  await namespaces.undo.add({ kind: "folder", path: folder });
  const cgroup = `${namespaces.cgroupPrefix}-test`;
  const hierarchies = findHierarchies(await readFile("/proc/mounts", "utf8"));
  await performSteps(planOwnMachine({ folder, cgroup, hierarchies }), (undo) => namespaces.undo.add(undo));
  const restart = (): Promise<ManagedProcess> =>
    startContainerd({
      version,
      folder,
      start: (name, [command = "", ...args], env = process.env) =>
        startProcess({ name, command, args, env, logFile: join(folder, `${name}.log`) }),
    });
  const containerd = await createRestartable(restart);
  await writeCniConfig(folder, "10.88.0.0/24");
  await importSmallImages(folder);
  return {
    endpoint: `unix://${containerdSocket}`,
    cgroupRoot: `/${cgroup}`,
    cgroups: hierarchies.folders.map((hierarchy) => join(hierarchy, cgroup)),
    folder,
    containerd,
  };
}

/** For `ctr images import` and `coxswain image load`: the small images as an archive in the folder. Answers its path. */
export async function writeSmallImages(folder: string): Promise<string> {
  const applets = (await run("/bin/busybox", ["--list"])).trim().split("\n");
  const [layout, archive] = [join(folder, "images"), join(folder, "images.tar")];
  await writeImages(layout, planSmallImages({ busybox: "/bin/busybox", applets }));
  await writeImageArchive(layout, archive);
  return archive;
}

async function importSmallImages(folder: string): Promise<void> {
  const archive = await writeSmallImages(folder);
  await run("ctr", ["--address", containerdSocket, "--namespace", "k8s.io", "images", "import", archive]);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.trim()}`);
  return stdout;
}
