import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureProgram, startProcess } from "../upstream/index.js";
import { networks } from "./addresses.js";
import { corefile, dnsObjects } from "./dns-objects.js";
import type { Whose } from "./node-parts.js";
import type { Running } from "./running.js";
import { type ControlPlane, ownCommand } from "./start-control-plane.js";

export interface DnsOptions {
  readonly whose: Whose;
  readonly plane: ControlPlane;
  readonly folder: string;
  readonly launcher: string | undefined;
  readonly running: Running;
}

/** A DNS server on the bridge, which the service `kube-dns` leads to. */
export async function startDns({ whose, plane, folder, launcher, running }: DnsOptions): Promise<void> {
  await plane.kubectl(["apply", "--filename=-"], JSON.stringify(dnsObjects));
  const kubeconfig = await plane.kubeconfigFor("dns", { commonName: "system:coredns" });
  const logFile = join(folder, "dns.log");
  if (whose === "ours") {
    const { command, args } = ownCommand("dns", launcher);
    const flags = [`--kubeconfig=${kubeconfig}`, `--bind-address=${networks.bridge}`, "--port=53"];
    running.add("dns", startProcess({ name: "dns", command, args: [...args, ...flags], logFile }));
    return;
  }
  const config = join(folder, "Corefile");
  await writeFile(config, corefile(kubeconfig));
  const command = await ensureProgram("coredns");
  running.add("coredns", startProcess({ name: "coredns", command, args: ["-conf", config], logFile }));
}
