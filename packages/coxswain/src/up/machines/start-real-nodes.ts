import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@coxswain/client";
import { waitFor } from "@coxswain/client/wait";
import { followPodRoutes, type PodRoutesOptions } from "@coxswain/cluster";
import { type ClusterCertificates, ensureLeaf, type LeafOptions } from "@coxswain/component/certificates";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import {
  kubeletConfig,
  type MachinePlaces,
  machinePlaces,
  proxyConfig,
  type RunningMachine,
  startMachine,
} from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import type { Report } from "../report.js";
import type { OpenMachines } from "./open-machines.js";

export interface RealNodesOptions extends OpenMachines {
  /** An administrator's, in this process. */
  readonly client: Client;
  readonly certificates: ClusterCertificates;
  readonly count: number;
  /** `name-1`, `name-2`, … */
  readonly namePrefix: string;
  /** Where nodes reach the API server. */
  readonly serverUrl: string;
  readonly dnsService: string;
  /** Of this machine, for machines that join; undefined: none can. */
  readonly address: string | undefined;
  /** A file with a KubeletConfiguration that is merged over ours. */
  readonly kubeletConfig: string | undefined;
  readonly report: Report;
}

/** The machine of a real node, for commands of other processes. */
export interface NodeMachine {
  readonly name: string;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
}

export interface RealNodes {
  readonly machines: readonly NodeMachine[];
  /** Ends them, pods with at most two seconds, and takes their machines apart; volumes and images stay. */
  stop(): Promise<void>;
}

/** Milliseconds that pods have to end when the cluster stops. */
const podGraceMs = 2000;

/** Resolves when all nodes are ready. */
export async function startRealNodes(runtime: Runtime, options: RealNodesOptions): Promise<RealNodes> {
  const { site, client, report, count } = options;
  const machines: RunningMachine[] = [];
  const routes = followPodRoutes(runtime, { client, nodeName: undefined, ...podRoutes(options) });
  const stop = async (): Promise<void> => {
    await routes.stop();
    await Promise.all(machines.map((machine) => machine.stop(podGraceMs)));
    await site.remove();
  };
  const begunAt = runtime.clock.now();
  const names = Array.from({ length: count }, (_, at) => `${options.namePrefix}-${at + 1}`);
  try {
    await Promise.all(
      names.map(async (name, at) => {
        machines.push(await startNode(runtime, options, { name, index: at + 1 }));
        report.progress(`machines, ${machines.length} of ${count}`);
      }),
    );
    report.done(`${count === 1 ? "machine" : "machines"} of ${list(names)}`);
    report.begin("nodes");
    for (const [at, name] of names.entries()) {
      report.progress(`nodes, ${at} of ${count} ready`);
      await waitFor(client.core.v1.nodes(), name, (node) =>
        (node?.status?.conditions ?? []).some(
          // Of a node that was there before, what its last kubelet reported does not count; stamps have seconds.
          ({ type, status, lastHeartbeatTime = "" }) =>
            type === "Ready" && status === "True" && Date.parse(lastHeartbeatTime) >= begunAt - 1000,
        ),
      );
    }
    report.done(`${count === 1 ? "node" : "nodes"} ${list(names)}`);
    const holders = machines.map(({ name, holder }) => ({ name, holder }));
    return { machines: holders, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Machines that join are reached, too, where they can be. */
const podRoutes = ({ site, address }: RealNodesOptions): Pick<PodRoutesOptions, "links" | "tunnel"> => ({
  links: [site.networks.nodes],
  tunnel: address === undefined ? undefined : { name: site.tunnel.name, id: site.tunnel.id, address },
});

/** Of many the first and the last. */
const list = (names: readonly string[]): string =>
  names.length > 5 ? `${names[0]} to ${names.at(-1)}` : names.join(", ");

async function startNode(
  runtime: Runtime,
  options: RealNodesOptions,
  { name, index }: { readonly name: string; readonly index: number },
): Promise<RunningMachine> {
  const { site } = options;
  const launcher = process.argv[1] ?? "";
  const places = machinePlaces(site, { name, index });
  const files = writeNodeFiles(runtime, options, { name, places });
  const machine = await startMachine(runtime, site, {
    index,
    name,
    keep: [dirname(process.execPath), dirname(dirname(launcher))],
    containerd: options.containerd,
  });
  machine.run("node", [
    process.execPath,
    ...process.execArgv,
    launcher,
    "node",
    "run",
    ...files,
    `--hostname-override=${name}`,
    `--node-ip=${places.address}`,
    `--container-runtime-endpoint=${machine.endpoint}`,
    `--cni-conf-dir=${places.cniFolder}`,
    `--node-network=${site.networks.nodes}`,
  ]);
  return machine;
}

/** Certificates, kubeconfigs and configurations of a node's programs. Answers the flags that name them. */
function writeNodeFiles(
  { ioClock: clock, random }: Runtime,
  { site, certificates, serverUrl, dnsService, kubeletConfig: userConfig }: RealNodesOptions,
  { name, places }: { readonly name: string; readonly places: MachinePlaces },
): string[] {
  const { ca } = certificates;
  const pki = join(places.etc, "pki");
  mkdirSync(pki, { recursive: true, mode: 0o700 });
  const leaf = (file: string, who: Omit<LeafOptions, "clock" | "random">): { certificate: string; key: string } =>
    ensureLeaf(pki, file, ca, { clock, random, ...who });
  const node = { commonName: `system:node:${name}`, organizations: ["system:nodes"] };
  leaf("kubelet", { ...node, hosts: [name, places.address] });
  const kubeconfig = (file: string, identity: { certificate: string; key: string }): string => {
    const path = join(places.etc, file);
    const { certificate: clientCertificate, key: clientKey } = identity;
    writeKubeconfig(path, { server: serverUrl, certificateAuthority: ca.certificate, clientCertificate, clientKey });
    return path;
  };
  const clientCa = join(places.etc, "ca.crt");
  writeFileSync(clientCa, ca.certificate);
  const config = join(places.etc, "kubelet.json");
  const configFolder = join(places.etc, "kubelet.d");
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(
    config,
    kubeletConfig({
      address: places.address,
      clientCa,
      certificate: join(pki, "kubelet.crt"),
      key: join(pki, "kubelet.key"),
      resolvConf: places.resolvConf,
      cgroup: places.cgroup,
      dnsService,
    }),
  );
  if (userConfig !== undefined) writeFileSync(join(configFolder, "50-user.conf"), readFileSync(userConfig));
  const proxyKubeconfig = kubeconfig("proxy.kubeconfig", leaf("proxy", { commonName: "system:kube-proxy" }));
  const proxyFile = join(places.etc, "kube-proxy.json");
  writeFileSync(proxyFile, proxyConfig({ nodeName: name, kubeconfig: proxyKubeconfig, pods: site.networks.pods }));
  return [
    `--kubeconfig=${kubeconfig("node.kubeconfig", leaf("node", node))}`,
    `--proxy-kubeconfig=${proxyKubeconfig}`,
    `--config=${config}`,
    `--config-dir=${configFolder}`,
    `--proxy-config=${proxyFile}`,
  ];
}
