import { connect } from "node:net";
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
  type RunningComponents,
  serveLoadBalancers,
  serveResourceMetrics,
  simulatedNetwork,
  startClusterDns,
  startComponents,
  startScrapedUsage,
} from "@coxswain/cluster";
import { ensureLeaf, signingFirst } from "@coxswain/component/certificates";
import type { RootCa } from "@coxswain/controllers";
import type { GatewayAddresses } from "@coxswain/gateway";
import {
  createJournaledVolumes,
  type NodeSpec,
  numberedNodes,
  type Simulation,
  simulatedTaint,
} from "@coxswain/kubelet";
import { addressIn, podNetworks } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";
import { type RunningServer, type RunOptions, runApiserver } from "../apiserver/run-apiserver.js";
import { tracedRuntime } from "../apiserver/traced-runtime.js";
import { forAllSigners, keySettings } from "../controller-manager/key-settings.js";
import { machineNameServers } from "../dns/forward-options.js";
import { readKubeletConfig } from "../kubelet/kubelet-config-file.js";
import { readSimulation } from "../kubelet/simulation-file.js";
import { postToExtender } from "../scheduler/post-to-extender.js";
import { readSchedulerConfig } from "../scheduler/scheduler-config-file.js";
import type { LocalCertificates } from "./local-certificates.js";
import { applyDnsService, applyNodeNetwork, applyPolicyAccess } from "./machines/dns-objects.js";
import type { OpenMachines } from "./machines/open-machines.js";
import { type NodeMachine, type RealNodes, startRealNodes } from "./machines/start-real-nodes.js";
import { onFirstRoute } from "./on-first-route.js";
import type { Report } from "./report.js";
import { readStages } from "./stage-files.js";

export interface ClusterRunOptions {
  readonly server: RunOptions;
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

/** Everything in this process: the API server behind its port, and components that work on it without one. */
export async function runCluster(options: ClusterRunOptions, log: Logger, report: Report): Promise<RunningCluster> {
  const api = { ...options.server.server.api, featureGates: gatesOfUp(options.server.server.api?.featureGates) };
  const featureGates = clusterFeatureGates(api.featureGates);
  // Before anything is started: a file that cannot be used is the user's to repair.
  const scheduler = readSchedulerConfig(options.schedulerConfig, featureGates);
  const simulation = readSimulation(options.simulation);
  const nodeSettings = {
    rules: simulation.rules,
    imageRules: simulation.imageRules,
    stages: readStages(options.stages),
    kubelet: options.machines ? {} : readKubeletConfig(options.kubeletConfig),
  };
  report.begin("API server");
  // Without nodes in this process there is no simulated network: nodes of other processes are dialled wherever they are.
  const nodes = simulatedNodes(options, simulation);
  let areComponentsReady = false;
  const server = {
    ...options.server.server,
    api,
    ...(nodes !== undefined && { simulatedNetwork }),
    probeComponent: probeInside(() => areComponentsReady),
    ...(options.gatewayPort !== 0 && options.gatewayApi === "first" && { firstObjects: gatewayObjects }),
  };
  const running = await runApiserver({ ...options.server, server }, log);
  report.done(`API server on ${running.url}`);
  report.begin("controllers, scheduler and nodes");
  const { serviceAccount } = running.certificates;
  const url = new URL(running.url);
  const runtime = tracedRuntime({ log, metrics: running.server.metrics }, server.history);
  const components = startComponents({
    server: running.server,
    controllers: options.controllers,
    controllerSettings: {
      // Time for `kubectl delete -f` of a namespace together with what is in it: what is gone already is an error there.
      namespaceDeletionGraceMs: 1000,
      rootCa: rootCaOf(running),
      ...(options.machines && { nodeIpam: { clusterCidrs: podNetworks(options.machines.site.networks) } }),
      ...keySettings({
        serviceAccountKey: serviceAccount.privateKey,
        authorities: forAllSigners(() => running.certificatesNow().ca),
        certificateDurationMs: options.signingDurationMs,
      }),
    },
    featureGates,
    scheduler,
    postToExtender,
    connectToApiServer: () => connect({ host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) }),
    nodes,
    nodeSettings: { ...nodeSettings, ...volumesOf(options, runtime) },
    runtime,
  });
  await components.ready;
  areComponentsReady = true;
  await ensureOwnObjects(
    createInProcessClients({ server: running.server, runtime, dropsManagedFields: true })(administrator, "coxswain-up"),
    components.controllers,
  );
  const metrics = await serveMetrics(options, running, { components, runtime });
  const services = await serveServices(options, running, { runtime, report });
  const simulated = nodes ? `, ${nodes.length} simulated nodes (pods run without containers: docs/nodes.md)` : "";
  report.done(`${components.controllers.length} controllers, scheduler${simulated}`);
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

/** Where it is published, what signs now comes first: nodes that joined know by it when to be signed anew. */
const rootCaOf = ({ certificatesNow, onRenewed }: RunningServer): RootCa => ({
  current() {
    const { certificate, key } = certificatesNow().ca;
    return signingFirst(certificate, key);
  },
  onChange: (listener) => onRenewed(() => listener()),
});

/** What componentstatuses show of the controllers and the scheduler, which have no ports here. */
const probeInside =
  (areReady: () => boolean): NonNullable<RunOptions["server"]["probeComponent"]> =>
  async () =>
    areReady() ? { status: "True", message: "ok" } : { status: "False", message: "", error: "it is not ready yet" };

/** Files of simulated nodes' volumes outlive the process, unless nothing is to. */
const volumesOf = ({ volumesDirectory: directory }: ClusterRunOptions, runtime: Runtime) =>
  directory === undefined ? {} : { volumes: createJournaledVolumes({ runtime, directory }) };

/** Next to real nodes they have a taint: only what tolerates it runs in simulation. */
function simulatedNodes(
  { nodes: count, machines }: ClusterRunOptions,
  { nodes }: Simulation,
): readonly NodeSpec[] | undefined {
  const specs = nodes ?? numberedNodes(count);
  if (specs.length === 0) return undefined;
  return machines ? specs.map((spec) => ({ ...spec, taints: [...(spec.taints ?? []), simulatedTaint] })) : specs;
}

/** What nodes of this process and of others use, for `kubectl top` and autoscalers. */
async function serveMetrics(
  { server: { dataDir }, metrics }: ClusterRunOptions,
  { server, certificates: { ca, frontProxyCa } }: RunningServer,
  { components, runtime }: { readonly components: RunningComponents; readonly runtime: Runtime },
): Promise<{ stop(): Promise<void> }> {
  if (!metrics) return { stop: () => Promise.resolve() };
  const client = createInProcessClients({ server, runtime, dropsManagedFields: true })(administrator, "coxswain-up");
  const isExcluded = (name: string): boolean => components.nodes.agent(name) !== undefined;
  const scraped = startScrapedUsage(runtime, { client, isExcluded });
  const pages = await serveResourceMetrics({
    usage: joinUsage([components.nodes.usage, scraped]),
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
