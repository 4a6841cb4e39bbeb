import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { containerdSocket, findHierarchies, onMachine, planHolder, planMachine } from "@coxswain/machines";
import { runProgram } from "../clients/index.js";
import { pauseRef } from "../images/index.js";
import { type ManagedProcess, startProcess } from "../upstream/index.js";
import { isListening } from "./is-listening.js";
import { ownNamespaces } from "./own-namespaces.js";
import { performSteps } from "./perform-steps.js";

export interface OtherMachineOptions {
  /** Its host name, and that of the link to it: at most 13 characters. */
  readonly name: string;
  /** The first three numbers of the network that it shares with this process' own machine, which is `.1` there. */
  readonly network: string;
  /** For its directories and logs. */
  readonly folder: string;
}

/** A machine next to this process' own, with Debian's containerd as its system's: what `coxswain join` is for. */
export interface OtherMachine {
  readonly name: string;
  readonly address: string;
  /** All that kubelets make for pods belongs below it, because machines share the kernel: a kubelet's `cgroupRoot`. */
  readonly cgroupRoot: string;
  /** Runs a command on it to its end. Answers what it prints. @throws Error with what it wrote to standard error */
  run(command: readonly string[]): Promise<string>;
  start(name: string, command: readonly string[]): ManagedProcess;
}

/** Only in namespaces of this process' own: the machine goes with them. */
export async function startOtherMachine({ name, network, folder }: OtherMachineOptions): Promise<OtherMachine> {
  const namespaces = ownNamespaces();
  if (namespaces === undefined) throw new Error("machines are made in namespaces of this process' own");
  const [own, address] = [join(folder, name), `${network}.10`];
  await mkdir(own, { recursive: true });
  const holder = await startHolder();
  const cgroup = `${namespaces.cgroupPrefix}-${name}`;
  const hierarchies = findHierarchies(await readFile("/proc/mounts", "utf8"));
  const link = { name: `v-${name}`, bridge: `b-${name}`, prefixLength: 24, gateway: `${network}.1` };
  const layers = { upper: join(own, "etc-changes"), work: join(own, "etc-work") };
  const etc = `lowerdir=/etc,upperdir=${layers.upper},workdir=${layers.work}`;
  const here = (...command: string[]) => ({ kind: "run", command }) as const;
  await performSteps(
    [
      here("ip", "link", "add", link.bridge, "type", "bridge"),
      here("ip", "address", "add", `${link.gateway}/${link.prefixLength}`, "dev", link.bridge),
      here("ip", "link", "set", link.bridge, "up"),
      ...planMachine({
        name,
        folder: own,
        holder,
        cgroup,
        isTopCgroup: true,
        hierarchies,
        keep: [folder],
        link: { ...link, address },
      }),
      { kind: "directory", path: join(layers.upper, "containerd") },
      { kind: "file", path: join(layers.upper, "containerd/config.toml"), content: await systemConfig() },
      { kind: "directory", path: layers.work },
      here(...onMachine(holder, ["mount", "-t", "overlay", "-o", etc, "overlay", "/etc"])),
    ],
    (undo) => namespaces.undo.add(undo),
  );
  const start = (program: string, words: readonly string[]): ManagedProcess => {
    const [command = "", ...args] = onMachine(holder, words);
    return startProcess({ name: `${program} of ${name}`, command, args, logFile: join(own, `${program}.log`) });
  };
  const containerd = start("containerd", ["containerd"]);
  await containerd.waitUntil(() => isListening(`/proc/${holder}/root${containerdSocket}`), { timeoutMs: 60_000 });
  return {
    name,
    address,
    cgroupRoot: `/${cgroup}`,
    async run(words) {
      const [command = "", ...args] = onMachine(holder, words);
      const { code, stdout, stderr } = await runProgram(command, args);
      if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr.trim()}`);
      return stdout;
    },
    start,
  };
}

/** Debian's, with an image for pods that is there, and without lower OOM scores, for which it takes CAP_SYS_RESOURCE. */
async function systemConfig(): Promise<string> {
  const section = '[plugins."io.containerd.grpc.v1.cri"]';
  const more = `sandbox_image = ${JSON.stringify(pauseRef)}\nrestrict_oom_score_adj = true`;
  return (await readFile("/etc/containerd/config.toml", "utf8")).replace(section, `${section}\n${more}`);
}

async function startHolder(): Promise<number> {
  const [program = "", ...args] = planHolder();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.unref();
  return child.pid ?? -1;
}
