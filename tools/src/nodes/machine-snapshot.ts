import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { siteCgroup } from "@coxswain/machines";
import { runProgram } from "../clients/index.js";

/** What a cluster may leave on a machine, as lines by kind. */
export type MachineSnapshot = Readonly<Record<string, readonly string[]>>;

/** @param folder of clusters; the control group of the one that is called `default` is looked at, others may run meanwhile */
export async function takeSnapshot(folder: string): Promise<MachineSnapshot> {
  const lines = async (...[program = "", ...args]: string[]): Promise<string[]> =>
    // Addresses of IPv6 links are the kernel's own, and come seconds after a link is up.
    (await runProgram(program, args)).stdout.split("\n").filter((line) => line !== "" && !line.includes("fe80:"));
  return {
    links: (await lines("ip", "-o", "link", "show")).map((line) => line.split(": ")[1] ?? line),
    addresses: (await lines("ip", "-o", "address", "show")).map((line) =>
      line.replace(/ (?:valid|preferred)_lft \S+/g, ""),
    ),
    routes: await lines("ip", "route", "show", "table", "all"),
    rules: await lines("nft", "list", "ruleset"),
    mounts: readFileSync("/proc/self/mounts", "utf8").split("\n"),
    cgroups: cgroupsOf(siteCgroup(join(folder, "default"))),
    settings: ["ip_forward"].map((name) => `${name} ${readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim()}`),
    processes: processes(),
    files: readdirSync(folder, { recursive: true }).map(String),
  };
}

/** Of all hierarchies. */
const cgroupsOf = (prefix: string): string[] =>
  readdirSync("/sys/fs/cgroup", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      name.startsWith(prefix)
        ? [name]
        : readdirSync(join("/sys/fs/cgroup", name))
            .filter((child) => child.startsWith(prefix))
            .map((child) => `${name}/${child}`),
    );

/** Of this namespace of processes: its own programs aside, nobody is there. */
const processes = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return /containerd|sleep infinity|node run|pause/.test(command) ? [command] : [];
      } catch {
        return []; // it has just ended
      }
    });

/** Pure: what differs, as sentences. */
export const compareSnapshots = (before: MachineSnapshot, after: MachineSnapshot): string[] =>
  Object.keys(before).flatMap((kind) => {
    const [old, now] = [before[kind] ?? [], after[kind] ?? []];
    return [
      ...now.filter((line) => !old.includes(line)).map((line) => `${kind}: left behind: ${line}`),
      ...old.filter((line) => !now.includes(line)).map((line) => `${kind}: missing: ${line}`),
    ];
  });
