import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import type { PersistentVolumeClaim, Service } from "@coxswain/api/core/v1";
import { localPathDirectory } from "@coxswain/api/local-path";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import { addProcessMetrics, createMetrics } from "@coxswain/component/metrics";
import type { Runtime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { admitSysctls } from "./admission/admit-sysctls.js";
import { cgroupFiles } from "./cgroups/cgroup-files.js";
import { createCgroupTree } from "./cgroups/cgroup-tree.js";
import { nodeGroupResources } from "./cgroups/group-resources.js";
import { createPodCgroups, type PodCgroups } from "./cgroups/pod-cgroups.js";
import { readCgroupLayout } from "./cgroups/read-layout.js";
import { type CriRuntime, connectCriRuntime } from "./cri/cri-runtime.js";
import { parseResolvConf } from "./cri/plan-dns.js";
import type { SandboxFacts } from "./cri/plan-sandbox.js";
import { createCsiNode } from "./csi/csi-host.js";
import { openCredentialPlugins } from "./images/credential-plugins.js";
import { createPullCredentials, joinCredentials } from "./images/pull-credentials.js";
import { openPullRecords } from "./images/pull-records.js";
import { createVerificationPolicy } from "./images/verification-policy.js";
import { createLogRotator, type LogRotator } from "./logs/log-rotator.js";
import { createNodeLogs, type NodeLogs } from "./logs/node-logs.js";
import { createLinuxMachine } from "./machine/linux-machine.js";
import type { Machine, MachineFacts } from "./machine/machine.js";
import { runProgram } from "./machine/programs.js";
import { readSubordinateIds } from "./machine/subordinate-ids.js";
import { openUserNamespaces, type UserNamespaces } from "./machine/user-namespaces.js";
import { kubeletRules } from "./node/kubelet-config.js";
import type { NodePlatform, PlatformContext } from "./node/node-platform.js";
import type { NodeSpec } from "./node/node-spec.js";
import { planRealNode, type RealNodeFacts } from "./node/plan-real-node.js";
import { type RealKubeletConfig, realRules } from "./node/real-config.js";
import { resourceFacts } from "./node/resource-facts.js";
import { runtimeProblems } from "./node/runtime-problems.js";
import { createNetworkProber } from "./probes/create-network-prober.js";
import { createRealHost } from "./real-host.js";
import { openPodAllocations, type PodAllocations } from "./recovery/pod-allocations.js";
import { sweepOrphans } from "./recovery/sweep-orphans.js";
import type { RunningNodes } from "./running-nodes.js";
import type { NodeStats, RuntimeStatus } from "./runtime/container-runtime.js";
import { createPodSources } from "./sources/create-pod-sources.js";
import { createNodeSources } from "./sources/node-sources.js";
import { serviceVariables } from "./sources/service-variables.js";
import { startNodes } from "./start-nodes.js";
import { createNodeVolumes } from "./volumes/create-node-volumes.js";
import { expandedStatus } from "./volumes/expand-csi.js";
import { createMounter } from "./volumes/mounter.js";
import type { NodeVolumes } from "./volumes/node-volumes.js";
import { removeTree } from "./volumes/remove-tree.js";

type Claim = DeepReadonly<PersistentVolumeClaim>;

export interface StartNodeOptions {
  /** In the node's own name. */
  readonly client: Client;
  readonly spec: NodeSpec;
  readonly config: RealKubeletConfig;
  /** `unix:///run/containerd/containerd.sock`. */
  readonly endpoint: string;
  /** "/var/lib/kubelet". */
  readonly rootDir: string;
  /** Programs that know credentials of registries: the configuration, and the directory that they are in. */
  readonly credentialProviders?: { readonly configPath: string; readonly directory: string };
  /** Where the kubelet's server answers. */
  readonly kubeletPort: number;
  /** The node's client certificate, where it is replaced before it ends. */
  readonly clientCertificate?: CertificateLife | undefined;
  readonly runtime: Runtime;
}

export interface CertificateLife {
  /** In milliseconds since 1970. */
  expiresAt(): number;
  /** How often it could not be replaced. */
  renewErrors(): number;
}

/** The kubelet of the machine that this process runs on, over a container runtime that speaks CRI. */
export function startNode(options: StartNodeOptions): RunningNodes {
  const { client, spec, config, kubeletPort } = options;
  const metrics = createMetrics();
  addProcessMetrics(metrics, options.runtime.clock);
  if (options.clientCertificate) addCertificateMetrics(metrics, options.clientCertificate, options.runtime.ioClock);
  const runtime: Runtime = { ...options.runtime, metrics };
  return startNodes({
    client,
    nodes: [spec],
    runtime,
    settings: {
      kubelet: config,
      kubeletPort,
      ownPodsOnly: true,
      clusterStages: false,
      processMetrics: () => metrics.text(),
      ...(config.enableSystemLogHandler && { systemLogs: "/var/log" }),
    },
    platformFor: (context) => createRealPlatform(options, context),
  });
}

/** Under upstream's names (pkg/kubelet/certificate/kubelet.go, cmd/kubelet/app/server.go). */
function addCertificateMetrics(metrics: Metrics, { expiresAt, renewErrors }: CertificateLife, clock: Clock): void {
  const manager = "kubelet_certificate_manager_client";
  metrics.collectCounter(
    {
      name: `${manager}_expiration_renew_errors`,
      help: "Counter of certificate renewal errors.",
      stability: "ALPHA",
    },
    (report) => report(renewErrors()),
  );
  metrics.collectGauge(
    {
      name: `${manager}_ttl_seconds`,
      help: "Seconds until the kubelet's client certificate expires, negative if it has.",
      stability: "ALPHA",
    },
    (report) => report(Math.trunc((expiresAt() - clock.now()) / 1000)),
  );
}

/** Removes what the node's pods have on this machine: containers, volumes, control groups, logs. No kubelet may run meanwhile. */
export async function clearNode(options: StartNodeOptions): Promise<void> {
  const { spec, client, runtime, kubeletPort } = options;
  const nobody = {
    node: () => undefined,
    record: () => {},
    recordNode: () => {},
    reportNode: () => {},
    wake: () => {},
  };
  const platform = await createRealPlatform(options, { spec, index: 0, kubeletPort, client, runtime, ...nobody });
  try {
    const isGone = await platform.sweep(() => new Set());
    if (!isGone) runtime.log.warn("something of the node's pods could not be removed: see the lines above", {});
  } finally {
    await platform.stop();
  }
}

/** What dead pods left, and then volumes that are staged for no pod. Whether all of pods is gone. */
async function sweepNode(
  pods: Parameters<typeof sweepOrphans>[0],
  volumes: NodeVolumes,
  known: () => ReadonlySet<string>,
): Promise<boolean> {
  const isGone = await sweepOrphans(pods, known);
  await volumes.sweep((error) => pods.log.warn("a staged volume that no pod has could not be taken back", { error }));
  return isGone;
}

/** @throws RuntimeError where no runtime answers; CgroupError */
async function createRealPlatform(options: StartNodeOptions, context: PlatformContext): Promise<NodePlatform> {
  const { config, rootDir } = options;
  const { spec, client, runtime, node, record, wake } = context;
  const rules = realRules(config);
  const machine = createLinuxMachine();
  const facts = await machine.facts();
  const hostIPs = spec.address === undefined ? ownAddresses() : [spec.address, spec.otherAddress ?? []].flat();
  const paths = { rootDir, podLogsDir: config.podLogsDir ?? "/var/log/pods" };
  const logs = createNodeLogs({
    podLogsDirectory: paths.podLogsDir,
    linksDirectory: join(dirname(paths.podLogsDir), "containers"),
  });
  const sources = createNodeSources({ client, runtime, hostIPs, node, onChange: wake });
  const mounter = createMounter(runProgram);
  const csi = await createCsiNode({ ...context, rootDir, nodeName: spec.name });
  const expanded = (claim: Claim, size: string): Promise<void> => reportExpansion(client, claim, size);
  const volumes = await createNodeVolumes({ runtime, rootDir, mounter, sources, node, record, csi, expanded });
  const containers = await connectRuntime(options, { runtime, facts, paths, logs, volumes });
  const cgroups = await startCgroups(options, { runtime, facts, maxProcesses: (await machine.processes()).max });
  let status: RuntimeStatus | undefined;
  const files = await openPodFiles(options);
  const host = createRealHost({ client, volumes, cgroups, logs, ...files, runtimeStatus: () => status });
  const startCsi = (): Promise<void> =>
    csi.start().catch((error: unknown) => runtime.log.warn("storage drivers are not followed yet", { error }));
  const look = async (): Promise<readonly string[]> => {
    status = await containers.status().catch(() => undefined);
    return runtimeProblems(status);
  };
  const services = createSharedInformer<Service>({ listerWatcher: client.core.v1.services(), runtime });
  services.start();
  const rotator = startRotator(containers, rules, runtime);
  return {
    hostIPs,
    containers,
    prober: createNetworkProber(runtime),
    host,
    sources: createPodSources({
      client,
      objects: sources.objects,
      node,
      hostIPs,
      serviceVariables: (pod) => serviceVariables(pod, services.indexer.list()),
    }),
    ...(await openImagePulls(options, containers, { client, runtime })),
    node: async (now) =>
      planRealNode(spec, {
        ...nodeFacts(options, context, facts),
        problems: await look(),
        runtime: status,
        runtimeVersion: `${containers.name}://${containers.version}`,
        disk: await machine.fileSystem(rootDir),
        addresses: hostIPs,
        now,
      }),
    nodeStats: () => readNodeStats(machine, cgroups, rootDir),
    problems: look,
    volumesInUse: () => csi.volumesInUse(),
    registered: startCsi,
    nodeChanged: () => csi.nodeChanged(),
    admit: (pod) =>
      admitSysctls(pod, { kernelVersion: facts.kernelVersion, unsafe: config.allowedUnsafeSysctls ?? [] }),
    // What runs is known by its labels.
    podChanged: () => {},
    adopt: () => {},
    sweep: (known) => {
      const hostUids = (): Promise<readonly string[]> => host.podUids();
      return sweepNode({ nodeName: spec.name, containers, host, hostUids, log: runtime.log }, volumes, known);
    },
    deleteVolume: (name) => removeTree(join(localPathDirectory, name), runtime.scheduler),
    losePower: () => {},
    async stop() {
      await rotator.stop();
      await services.stop();
      await sources.stop();
      await csi.stop();
      await containers.stop();
    },
  };
}

/** What is written down of pods in the kubelet's directory. */
async function openPodFiles({
  rootDir,
  config,
}: StartNodeOptions): Promise<{ readonly allocations: PodAllocations; readonly userNamespaces: UserNamespaces }> {
  const { idsPerPod } = realRules(config);
  const ids = await readSubordinateIds(idsPerPod, runProgram);
  return {
    allocations: await openPodAllocations(rootDir),
    userNamespaces: await openUserNamespaces({ rootDir, maxPods: config.maxPods ?? 110, idsPerPod, ids }),
  };
}

/** What a Node is planned from, as far as it never changes. */
const nodeFacts = (
  { config }: StartNodeOptions,
  { kubeletPort }: PlatformContext,
  machine: MachineFacts,
): Pick<RealNodeFacts, "machine" | "kubeletPort" | "maxPods" | "reserved" | "thresholds" | "providerID"> => ({
  machine,
  kubeletPort,
  maxPods: config.maxPods ?? 110,
  reserved: [config.systemReserved ?? {}, config.kubeReserved ?? {}],
  thresholds: kubeletRules(config).eviction.thresholds,
  ...(config.providerID && { providerID: config.providerID }),
});

/** Credentials from secrets and from programs on the node, and records of who used them. */
async function openImagePulls(
  { config, rootDir, credentialProviders }: StartNodeOptions,
  containers: CriRuntime,
  context: Pick<PlatformContext, "client" | "runtime">,
): Promise<Pick<NodePlatform, "credentials" | "pulls">> {
  const secrets = createPullCredentials(context.client);
  const { imagePullCredentialsVerificationPolicy: policy, preloadedImagesVerificationAllowlist = [] } = config;
  return {
    credentials: credentialProviders
      ? joinCredentials(secrets, await openCredentialPlugins(credentialProviders, context))
      : secrets,
    pulls: await openPullRecords({
      rootDir,
      policy: createVerificationPolicy(policy, preloadedImagesVerificationAllowlist),
      runtime: context.runtime,
      images: () => containers.listImages(),
    }),
  };
}

interface RuntimeParts {
  readonly runtime: Runtime;
  readonly facts: MachineFacts;
  readonly paths: SandboxFacts["paths"];
  readonly volumes: NodeVolumes;
  readonly logs: NodeLogs;
}

function connectRuntime(
  { config, endpoint, rootDir, spec }: StartNodeOptions,
  { runtime, facts, paths, logs, volumes }: RuntimeParts,
): Promise<CriRuntime> {
  const rules = realRules(config);
  const sandboxFacts = async (): Promise<SandboxFacts> => ({
    paths,
    nodeName: spec.name,
    dns: {
      host: await readResolver(config.resolvConf),
      clusterDns: config.clusterDNS ?? [],
      clusterDomain: config.clusterDomain ?? "",
    },
  });
  return connectCriRuntime({
    runtime,
    endpoint,
    requestTimeoutMs: rules.requestTimeoutMs,
    maxParallelPulls: rules.maxParallelPulls,
    sandboxFacts,
    resources: resourceFacts(facts, config),
    security: { seccompRoot: `${rootDir}/seccomp`, seccompDefault: config.seccompDefault ?? false },
    logs,
    volumeUsage: async (podUid) =>
      (await volumes.usage(podUid).catch(() => [])).filter(({ isInMemory }) => !isInMemory),
    driverVolumeUsage: (podUid) => volumes.driverUsage(podUid).catch(() => []),
  });
}

function startRotator(containers: CriRuntime, rules: ReturnType<typeof realRules>, runtime: Runtime): LogRotator {
  const rotator = createLogRotator({
    maxBytes: rules.logMaxBytes,
    maxFiles: rules.logMaxFiles,
    everyMs: rules.logMonitorMs,
    running: () => containers.runningLogs(),
    reopen: (id) => containers.reopenContainerLog(id),
    runtime,
  });
  rotator.start();
  return rotator;
}

async function startCgroups(
  { config }: StartNodeOptions,
  { runtime, facts, maxProcesses }: Pick<RuntimeParts, "runtime" | "facts"> & { readonly maxProcesses: number },
): Promise<PodCgroups> {
  const hugePageSizes = facts.hugePages.map(({ sizeBytes }) => sizeBytes);
  const layout = await readCgroupLayout();
  const period = realRules(config).quotaPeriod;
  const cgroups = createPodCgroups({
    tree: createCgroupTree({ layout, files: cgroupFiles, runtime, hugePageSizes }),
    runtime,
    ...(config.cgroupRoot && { cgroupRoot: config.cgroupRoot }),
    limits: {
      enforceCpu: period !== undefined,
      cpuPeriodMicros: period ?? 100_000,
      pids: config.podPidsLimit ?? -1,
    },
    hugePageSizes,
    allocatable: () =>
      nodeGroupResources({ ...facts, maxProcesses }, [config.systemReserved ?? {}, config.kubeReserved ?? {}]),
  });
  await cgroups.start();
  return cgroups;
}

async function readNodeStats(machine: Machine, cgroups: PodCgroups, rootDir: string): Promise<NodeStats> {
  const [{ capacityBytes, availableBytes }, nodeFs, processes, cpuNanoseconds, podBytes] = await Promise.all([
    machine.memory(),
    machine.fileSystem(rootDir),
    machine.processes(),
    machine.processorNanoseconds(),
    cgroups.workingSetBytes().catch(() => 0),
  ]);
  return { memory: { capacityBytes, availableBytes, podBytes }, nodeFs, processes, cpuNanoseconds };
}

/** As a whole object at the version that was read: a claim that others changed meanwhile is looked at again. */
async function reportExpansion(client: Client, claim: Claim, size: string): Promise<void> {
  const claims = client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "");
  const status = expandedStatus(claim, size) as NonNullable<PersistentVolumeClaim["status"]>;
  const changed = { ...(claim as PersistentVolumeClaim), status };
  await claims.subresource<PersistentVolumeClaim>("status").update(claim.metadata?.name ?? "", changed);
}

/** Empty: the node's resolver is not used. @param path upstream's default is /etc/resolv.conf */
async function readResolver(path = "/etc/resolv.conf"): Promise<SandboxFacts["dns"]["host"]> {
  return path === "" ? undefined : parseResolvConf(await readFile(path, "utf8"));
}

/** The first address of the machine that is not a loopback one. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = all.find(({ family, internal }) => family === "IPv4" && !internal);
  return [found?.address ?? "127.0.0.1"];
}
