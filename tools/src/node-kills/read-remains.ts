import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { onMachine } from "@coxswain/machines";
import { runProgram } from "../clients/index.js";
import { logLink, type Remains } from "./find-leaks.js";

export interface RemainsReader {
  read(): Promise<Remains>;
}

export interface MachineAccess {
  /** Of the process that holds the machine's namespaces. */
  readonly holder: number;
  /** Folders of the machine's control groups, in all hierarchies. */
  readonly cgroups: readonly string[];
  /** The program `ctr` of the machine's containerd. */
  readonly ctr: string;
}

type Found = Remains["containers"][number];
type Thing = Remains["things"][number];

/** Directories whose entries belong to pods or containers. */
const folders: readonly { readonly what: string; readonly path: string }[] = [
  { what: "directory of a pod", path: "/var/lib/kubelet/pods" },
  { what: "logs of a pod", path: "/var/log/pods" },
  { what: logLink, path: "/var/log/containers" },
  { what: "network namespace", path: "/run/netns" },
  { what: "bundle", path: "/run/containerd/io.containerd.runtime.v2.task/k8s.io" },
  { what: "root of a task", path: "/var/lib/containerd/io.containerd.runtime.v2.task/k8s.io" },
  ...["grpc.v1.cri/containers", "grpc.v1.cri/sandboxes"].flatMap((name) =>
    ["/run/containerd", "/var/lib/containerd"].map((root) => ({
      what: "directory of the runtime",
      path: `${root}/io.containerd.${name}`,
    })),
  ),
];

/** What a container runtime and a kubelet have on a machine. What a container is does not change and is asked for once. */
export function createRemainsReader({ holder, cgroups, ctr }: MachineAccess): RemainsReader {
  const root = `/proc/${holder}/root`;
  const known = new Map<string, Found>();
  const runCtr = async (...args: string[]): Promise<string> => {
    const [program = "", ...rest] = onMachine(holder, [ctr, "--namespace", "k8s.io", ...args]);
    const { code, stdout, stderr } = await runProgram(program, rest);
    if (code !== 0) throw new Error(`ctr ${args.join(" ")}: ${stderr.trim()}`);
    return stdout;
  };
  const container = async (id: string): Promise<Found | undefined> => {
    const before = known.get(id);
    if (before) return before;
    const text = await runCtr("containers", "info", id).catch(() => undefined); // gone meanwhile
    const found = text === undefined ? undefined : readContainer(id, text);
    if (found) known.set(id, found);
    return found;
  };
  return {
    async read() {
      const ids = lines(await runCtr("containers", "list", "--quiet"));
      const containers: Found[] = [];
      for (const id of ids) {
        const found = await container(id);
        if (found) containers.push(found);
      }
      const listed = await Promise.all(folders.map((folder) => entries(root, folder)));
      return {
        containers,
        things: [
          ...(await mounts(holder)),
          ...(await Promise.all(cgroups.map(groups))).flat(),
          ...(await shims(holder)),
          ...(await leases(root)),
          ...lines(await runCtr("snapshots", "list")).flatMap(activeSnapshot),
          ...listed.flat(),
        ],
      };
    },
  };
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

interface ContainerInfo {
  readonly Labels?: Readonly<Record<string, string>>;
  readonly Spec?: {
    readonly linux?: { readonly namespaces?: readonly { readonly type: string; readonly path?: string }[] };
  };
}

function readContainer(id: string, text: string): Found {
  const { Labels, Spec } = JSON.parse(text) as ContainerInfo;
  const path = Spec?.linux?.namespaces?.find(({ type }) => type === "network")?.path;
  const netns =
    path?.startsWith("/var/run/netns/") || path?.startsWith("/run/netns/") ? path.split("/").at(-1) : undefined;
  return { id, podUid: Labels?.["io.kubernetes.pod.uid"] ?? "", ...(netns !== undefined && { netns }) };
}

async function mounts(holder: number): Promise<Thing[]> {
  const text = await readFile(`/proc/${holder}/mountinfo`, "utf8");
  return lines(text).map((line) => ({ what: "mount", name: line.split(" ")[4] ?? "" }));
}

async function groups(path: string): Promise<Thing[]> {
  const found = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  return found
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => ({ what: "control group", name: join(parentPath, name) }));
}

/** Of this machine: those in its mount namespace. */
async function shims(holder: number): Promise<Thing[]> {
  const own = await readlink(`/proc/${holder}/ns/mnt`);
  const found: Thing[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!command.includes("containerd-shim")) continue;
    if ((await readlink(`/proc/${pid}/ns/mnt`).catch(() => "")) === own)
      found.push({ what: `shim ${pid}`, name: command.replaceAll("\0", " ") });
  }
  return found;
}

/** Addresses that are taken: files of the CNI plugin host-local, with the sandbox's ID in their first line. */
async function leases(root: string): Promise<Thing[]> {
  const folder = `${root}/var/lib/cni/networks/pods`;
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => /^[0-9a-f.:]+$/.test(name));
  return Promise.all(
    found.map(async (name) => ({
      what: `address ${name} of`,
      name: (await readFile(join(folder, name), "utf8").catch(() => "")).split("\n")[0] ?? "",
    })),
  );
}

async function entries(root: string, { what, path }: (typeof folders)[number]): Promise<Thing[]> {
  const names = await readdir(join(root, path)).catch(() => []);
  return names.map((name) => ({ what, name: `${path}/${name}` }));
}

/** Layers of images are committed; what a container writes to is active and has its ID. */
function activeSnapshot(line: string): Thing[] {
  const [key = "", , kind] = line.trim().split(/\s+/);
  return kind === "Active" || line.includes(" Active") ? [{ what: "snapshot", name: key }] : [];
}
