import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { managedFieldsOptOutGate } from "@coxswain/api/feature-gates";
import type { PreparedObjects } from "@coxswain/apiserver";
import {
  type AddressPool,
  administrator,
  clusterFeatureGates,
  createInProcessClients,
  dnsUser,
  ensureOwnObjects,
  gatewayUser,
  joinUsage,
  loadBalancerUser,
  metricsServerHost,
  serveLoadBalancers,
  serveResourceMetrics,
  simulatedNetwork,
  startClusterDns,
  startComponents,
  startScrapedUsage,
} from "@coxswain/cluster";
import { ensureLeaf } from "@coxswain/component/certificates";
import type { GatewayAddresses } from "@coxswain/gateway";
import type { NodeSpec } from "@coxswain/kubelet";
import { addressIn, podNetworks } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";
import type { SchedulerConfig } from "@coxswain/scheduler";
import { type RunningServer, type RunOptions, runApiserver } from "../apiserver/run-apiserver.js";
import { tracedRuntime } from "../apiserver/traced-runtime.js";
import { machineNameServers } from "../dns/forward-options.js";
import { readSchedulerConfig } from "../scheduler/scheduler-config-file.js";
import type { ClusterComponents } from "./cluster-components.js";
import { type ControlChoices, controlSettings } from "./control-settings.js";
import type { LocalCertificates } from "./local-certificates.js";
import { applyDnsService, applyNodeNetwork, applyPolicyAccess } from "./machines/dns-objects.js";
import type { OpenMachines } from "./machines/open-machines.js";
import { type NodeMachine, type RealNodes, startRealNodes } from "./machines/start-real-nodes.js";
import { onFirstRoute } from "./on-first-route.js";
import { chooseSplit } from "./parts/choose-split.js";
import type { PartLog } from "./parts/part-plan.js";
import type { Report } from "./report.js";
import { type SimulatedSettings, type SimulationChoices, simulatedSettings, volumesOf } from "./simulated-settings.js";

export interface ClusterRunOptions {
  readonly server: RunOptions;
  /** `--split`. */
  readonly split: string;
  /** What parts in processes of their own log. */
  readonly log: PartLog;
  readonly controllers: readonly string[];
  /** How many simulated ones there are. */
  readonly nodes: number;
  /** How long certificates are valid that the cluster signs for others, in milliseconds. */
  readonly signingDurationMs: number;
  /** Of nodes whose containers really run; undefined: there are none. */
  readonly machines?: OpenMachines & {
    readonly count: number;
    readonly namePrefix: string;
    /** Of this machine, by which machines that join reach it; undefined: none can. */
    readonly address: string | undefined;
  };
  /** Where the files of persistent volumes of simulated nodes are kept; undefined: in memory. */
  readonly volumesDirectory: string | undefined;
  /** A file with a KubeSchedulerConfiguration. */
  readonly schedulerConfig: string | undefined;
  /** A file with pools of simulated nodes and rules for simulated containers. */
  readonly simulation: string | undefined;
  /** Files and folders with KWOK's Stages. */
  readonly stages: readonly string[];
  /** A file with a KubeletConfiguration. */
  readonly kubeletConfig: string | undefined;
  /** Whether what pods and nodes use is served behind metrics.k8s.io. */
  readonly metrics: boolean;
  /** A port of 127.0.0.1 for DNS; undefined: none. */
  readonly dnsPort: number | undefined;
  /** A port of 127.0.0.1 for Ingresses and Gateways; 0: none. */
  readonly gatewayPort: number;
  /** The definitions of the Gateway API: as first objects of a new cluster, made at the start wherever they are missing, or not. */
  readonly gatewayApi: "first" | "ensured" | "none";
  /** Signs for names below localhost; undefined: nobody does. */
  readonly localCertificates: LocalCertificates | undefined;
  /** Of Gateways; undefined: that port. */
  readonly gatewayAddresses: GatewayAddresses | undefined;
  /** Where services of type LoadBalancer are reached; undefined: nowhere. */
  readonly loadBalancers: AddressPool | undefined;
}

export interface RunningCluster extends RunningServer {
  /** Of real nodes. */
  readonly machines: readonly NodeMachine[];
}

/** The API server behind its port, and components that work on it: without one, in this process, or by a socket in others. */
export async function runCluster(options: ClusterRunOptions, log: Logger, report: Report): Promise<RunningCluster> {
  const api = { ...options.server.server.api, featureGates: gatesOfUp(options.server.server.api?.featureGates) };
  // Before anything is started: a file that cannot be used is the user's to repair.
  const scheduler = readSchedulerConfig(options.schedulerConfig, clusterFeatureGates(api.featureGates));
  const simulated = simulatedSettings(simulationOf(options));
  const nodes = simulated.specs;
  const isSplit = chooseSplit(options.split, {
    nodes: nodes.length,
    isReal: options.machines !== undefined,
    cores: availableParallelism(),
  });
  report.begin("API server");
  let areReady = (): boolean => false;
  const server = {
    ...options.server.server,
    api,
    // Without simulated nodes there is no simulated network: nodes of other processes are dialled wherever they are.
    ...(nodes.length > 0 && { simulatedNetwork }),
    probeComponent: probeInside(() => areReady()),
    ...(options.gatewayPort !== 0 && options.gatewayApi === "first" && { firstObjects: gatewayObjects }),
  };
  const running = await runApiserver({ ...options.server, server }, log);
  report.done(`API server on ${running.url}`);
  report.begin("controllers, scheduler and nodes");
  const runtime = tracedRuntime({ log, metrics: running.server.metrics }, server.history);
  const start = isSplit ? startOutside : startInside;
  const components = await start(options, running, { runtime, gates: api.featureGates, scheduler, simulated });
  areReady = () => components.areReady;
  await components.ready;
  await ensureOwnObjects(
    createInProcessClients({ server: running.server, runtime, dropsManagedFields: true })(administrator, "coxswain-up"),
    components.controllers,
  );
  const metrics = await serveMetrics(options, running, { components, nodes, runtime });
  const services = await serveServices(options, running, { runtime, report });
  const count =
    nodes.length > 0 ? `, ${nodes.length} simulated nodes (pods run without containers: docs/nodes.md)` : "";
  report.done(
    `${components.controllers.length} controllers, scheduler${count}${isSplit ? ", in processes of their own" : ""}`,
  );
  const realNodes = await startNodesOf(options, running, { runtime, report });
  return {
    ...running,
    machines: realNodes?.machines ?? [],
    async stop() {
      await realNodes?.stop();
      await services.stop();
      await components.stop();
      await metrics.stop();
      await running.stop();
    },
  };
}

interface ComponentsContext {
  readonly runtime: Runtime;
  readonly gates: ReadonlyMap<string, string>;
  readonly scheduler: SchedulerConfig;
  readonly simulated: SimulatedSettings;
}

const simulationOf = ({
  nodes,
  simulation,
  stages,
  kubeletConfig,
  machines,
}: ClusterRunOptions): SimulationChoices => ({
  nodes,
  simulation,
  stages,
  kubeletConfig,
  besideRealNodes: machines !== undefined,
});

const controlOf = ({ controllers, signingDurationMs, machines }: ClusterRunOptions): ControlChoices => ({
  controllers,
  signingDurationMs,
  clusterCidrs: machines && podNetworks(machines.site.networks),
});

/** Where programs in simulated containers reach the API server. */
const placeOf = ({ url }: RunningServer): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443) };
};

/** Components in this process. */
async function startInside(
  options: ClusterRunOptions,
  running: RunningServer,
  { runtime, gates, scheduler, simulated: { specs, settings } }: ComponentsContext,
): Promise<ClusterComponents> {
  const keys = {
    serviceAccountKey: running.certificates.serviceAccount.privateKey,
    authority: () => running.certificatesNow().ca,
    onRenewed: (listener: () => void) => running.onRenewed(listener),
  };
  const components = startComponents({
    ...controlSettings(controlOf(options), keys, { scheduler, featureGates: clusterFeatureGates(gates) }),
    server: running.server,
    connectToApiServer: () => connect(placeOf(running)),
    nodes: specs.length > 0 ? specs : undefined,
    nodeSettings: { ...settings, ...volumesOf(options.volumesDirectory, runtime) },
    runtime,
  });
  let areReady = false;
  return {
    ready: components.ready.then(() => void (areReady = true)),
    get areReady() {
      return areReady;
    },
    controllers: components.controllers,
    usage: components.nodes.usage,
    stop: () => components.stop(),
  };
}

/** Components in processes of their own. */
const startOutside = async (
  options: ClusterRunOptions,
  running: RunningServer,
  { runtime, gates, simulated: { specs } }: ComponentsContext,
): Promise<ClusterComponents> => {
  const { startParts } = await import("./parts/start-parts.js");
  return startParts(runtime, {
    dataDir: options.server.dataDir,
    running,
    log: options.log,
    featureGates: gates,
    simulation: simulationOf(options),
    specs,
    volumesDirectory: options.volumesDirectory,
    apiServer: placeOf(running),
    serviceCidrs: options.server.server.services?.clusterIpRanges ?? ["10.96.0.0/16"],
    control: controlOf(options),
    schedulerConfig: options.schedulerConfig,
  });
};

/** What componentstatuses show of the controllers and the scheduler, which have no ports here. */
const probeInside =
  (areReady: () => boolean): NonNullable<RunOptions["server"]["probeComponent"]> =>
  async () =>
    areReady() ? { status: "True", message: "ok" } : { status: "False", message: "", error: "it is not ready yet" };

/** What nodes of this process and of others use, for `kubectl top` and autoscalers. */
async function serveMetrics(
  { server: { dataDir }, metrics }: ClusterRunOptions,
  { server, certificates: { ca, frontProxyCa } }: RunningServer,
  {
    components,
    nodes,
    runtime,
  }: { readonly components: ClusterComponents; readonly nodes: readonly NodeSpec[]; readonly runtime: Runtime },
): Promise<{ stop(): Promise<void> }> {
  if (!metrics) return { stop: () => Promise.resolve() };
  const client = createInProcessClients({ server, runtime, dropsManagedFields: true })(administrator, "coxswain-up");
  const simulated = new Set(nodes.map(({ name }) => name));
  const isExcluded = (name: string): boolean => simulated.has(name);
  const scraped = startScrapedUsage(runtime, { client, isExcluded });
  const pages = await serveResourceMetrics({
    usage: joinUsage([components.usage, scraped]),
    server,
    credentials: ensureLeaf(join(resolve(dataDir), "pki"), "metrics-server", ca, {
      commonName: "metrics-server",
      hosts: [metricsServerHost],
      clock: systemClock,
      random: systemRandom,
    }),
    authority: ca.certificate,
    frontProxyAuthority: frontProxyCa.certificate,
    log: runtime.log,
  });
  return {
    async stop() {
      await scraped.stop();
      await pages.stop();
    },
  };
}

/** Nodes whose containers really run, with DNS at the bridge; undefined: none were asked for. */
async function startNodesOf(
  { machines, kubeletConfig, server: { server } }: ClusterRunOptions,
  running: RunningServer,
  { runtime, report }: { readonly runtime: Runtime; readonly report: Report },
): Promise<RealNodes | undefined> {
  if (!machines) return undefined;
  const { gateway } = machines.site;
  const clientOf = createInProcessClients({ server: running.server, runtime, dropsManagedFields: true });
  const client = clientOf(administrator, "coxswain-up");
  const dnsService = addressIn(server.services?.clusterIpRanges?.[0] ?? "10.96.0.0/16", 10);
  report.begin("machines");
  await applyPolicyAccess(client);
  await applyNodeNetwork(client, machines);
  await applyDnsService(client, { clusterIP: dnsService, address: gateway });
  const dns = startClusterDns({
    runtime,
    client: clientOf(dnsUser, "coxswain-dns"),
    forward: { servers: machineNameServers(), stubDomains: new Map() },
  });
  try {
    await dns.ready;
    await dns.listen({ host: gateway, port: 53 });
    const nodes = await startRealNodes(runtime, {
      ...machines,
      client,
      authority: () => running.certificatesNow().ca,
      onRenewed: running.onRenewed,
      serverUrl: `https://${gateway}:${running.port}`,
      dnsService,
      kubeletConfig,
      address: machines.address,
      report,
    });
    return {
      machines: nodes.machines,
      async stop() {
        await nodes.stop();
        await dns.stop();
      },
    };
  } catch (error) {
    await dns.stop();
    throw error;
  }
}

/** DNS, load balancers and the gateway, where they are asked for: what people outside of the cluster reach its services by. */
async function serveServices(
  options: ClusterRunOptions,
  { server }: RunningServer,
  { runtime, report }: { readonly runtime: Runtime; readonly report: Report },
): Promise<{ stop(): Promise<void> }> {
  const { dnsPort, gatewayPort, gatewayApi, gatewayAddresses: addresses, localCertificates, loadBalancers } = options;
  const clientOf = createInProcessClients({ server, runtime, dropsManagedFields: true });
  const served: { stop(): Promise<void> }[] = [];
  if (loadBalancers) {
    const client = clientOf(loadBalancerUser, "coxswain-load-balancer");
    const balancers = serveLoadBalancers({ runtime, client, network: server.network, pool: loadBalancers });
    served.push(balancers);
    await balancers.ready;
  }
  if (dnsPort !== undefined) {
    const client = clientOf(dnsUser, "coxswain-dns");
    const forward = { servers: machineNameServers(), stubDomains: new Map() };
    const dns = startClusterDns({ runtime, client, forward });
    served.push(dns);
    await dns.ready;
    const { port } = await dns.listen({ host: "127.0.0.1", port: dnsPort });
    report.line(`DNS on 127.0.0.1:${port}`);
  }
  if (gatewayPort !== 0) {
    const client = clientOf(gatewayUser, "coxswain-gateway");
    const serve = async () =>
      (await import("@coxswain/cluster/gateway")).serveGateway(runtime, {
        client,
        network: server.network,
        port: gatewayPort,
        addresses,
        localCertificate: localCertificates?.certificateFor,
        withDefinitions: gatewayApi === "ensured",
      });
    served.push(gatewayApi === "ensured" ? await serve() : onFirstRoute(runtime, client, serve));
    report.line(`Ingresses on http://127.0.0.1:${gatewayPort} (names below localhost lead there)`);
    if (localCertificates)
      report.line(
        `and on https://localhost:${gatewayPort + 443 - 80}, by the authority in ${localCertificates.authorityFile}`,
      );
  }
  return {
    async stop() {
      for (const one of served.toReversed()) await one.stop();
    },
  };
}

/** Definitions of the Gateway API and a class of ours that is accepted: until a Gateway or an Ingress comes, nothing runs for them. */
const gatewayObjects = async (): Promise<PreparedObjects> =>
  (await import("../prepared-objects/no-gateway-objects.js")).default;

/** What this command turns on unless the flags name it: the console asks for Tables without managed fields. */
const gatesOfUp = (wanted: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> =>
  new Map([[managedFieldsOptOutGate.name, "true"], ...wanted]);
