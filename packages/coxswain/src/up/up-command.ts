import { join } from "node:path";
import { type AddressPool, addressPoolFrom, claimRange } from "@coxswain/cluster";
import { makeDirectory } from "@coxswain/component/files";
import { FlagError, formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { summarizeRepeats } from "@coxswain/component/log";
import { linkPrefix } from "@coxswain/machines";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { advertisedAddress, isLoopback } from "../apiserver/advertised-address.js";
import type { RunningServer } from "../apiserver/run-apiserver.js";
import { runOptionsFrom } from "../apiserver/run-options.js";
import { serveUntilSignal } from "../apiserver/serve-until-signal.js";
import { refuseUnsupported } from "../apiserver/unsupported-flags.js";
import { gatewayAddressesFrom } from "../command/gateway-addresses.js";
import { boundHeapGrowth } from "../command/heap-growth.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { choosePort } from "./choose-port.js";
import { choiceWords, clusterFolder, clustersFolder } from "./cluster-home.js";
import { type ClusterState, isRunning, ownStart, readState, writeState } from "./cluster-state.js";
import { detach } from "./detach.js";
import { freeGatewayPort } from "./free-gateway-port.js";
import { createLocalCertificates } from "./local-certificates.js";
import { type OpenMachines, openMachines } from "./machines/open-machines.js";
import { mergeKubeconfig } from "./merge-kubeconfig.js";
import type { PartLog } from "./parts/part-plan.js";
import { createLogReport, createReport, type Report } from "./report.js";
import { type ClusterRunOptions, runCluster } from "./run-cluster.js";
import { sudoKubeconfig, userBehindSudo } from "./sudo-user.js";
import { upFlags } from "./up-flags.js";

export async function runUp(args: readonly string[]): Promise<number> {
  refuseUnsupported(args);
  const parsed = parseOnlyFlags(upFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(upFlags, {
        usage: "coxswain up [flags]",
        description:
          "Starts a cluster in one process, or a large one in three, in the foreground or, with --detach, in the background.",
      }),
    );
    return 0;
  }
  const { options, given } = parsed;
  const folder = clusterFolder(options);
  const last = readState(folder);
  if (last && isRunning(last)) {
    // 1 and not 2: the line is right, the cluster is in the way.
    process.stderr.write(
      `coxswain up: the cluster ${last.name} runs already on ${last.url} (pid ${last.pid}). "coxswain down${choiceWords(options)}" stops it; --name starts another one next to it\n`,
    );
    return 1;
  }
  if (options.detach) return detach(args, { folder, timeoutMs: options.waitTimeout });
  makeDirectory(folder);
  const { summarized, ...logging } = partLog(options, given);
  const log = summarized ? summarizeRepeats(loggerFrom(logging), systemClock) : loggerFrom(logging);
  const report = reportFrom(options);
  const isReal = options.runtime === "containerd";
  if (!isReal && options.simulatedNodes > 0)
    throw new FlagError("--simulated-nodes go with --runtime containerd; without it, --nodes are simulated");
  const count = given.has("nodes") || !isReal ? options.nodes : 1;
  const machines = isReal ? await machinesFor(options, { folder, count, log }) : undefined;
  try {
    return await runWith({
      options: machines ? withMachines(options, machines) : options,
      count,
      given,
      folder,
      last,
      log,
      report,
      machines,
    });
  } catch (error) {
    await machines?.site.remove();
    throw error;
  }
}

/** Unless more is asked for: warnings and errors, and those that come again and again only counted. */
function partLog({ logLevel, loggingFormat, v }: OptionsOf<typeof upFlags>, given: ReadonlySet<string>): PartLog {
  const isAsked = given.has("log-level") || given.has("v");
  return { logLevel: isAsked ? logLevel : "warn", loggingFormat, v, summarized: !isAsked };
}

const reportFrom = (options: OptionsOf<typeof upFlags>): Report =>
  options.loggingFormat === "json"
    ? createLogReport(loggerFrom({ ...options, v: undefined, logLevel: "info" }), systemClock)
    : createReport({
        write: (text) => process.stdout.write(text),
        isTerminal: process.stdout.isTTY === true,
        clock: systemClock,
      });

interface UpContext {
  readonly options: OptionsOf<typeof upFlags>;
  /** Of nodes: real ones, where there are machines. */
  readonly count: number;
  readonly given: ReadonlySet<string>;
  readonly folder: string;
  readonly last: ClusterState | undefined;
  readonly log: ReturnType<typeof loggerFrom>;
  readonly report: Report;
  readonly machines: OpenMachines | undefined;
}

async function runWith({ options, count, given, folder, last, log, report, machines }: UpContext): Promise<number> {
  const { bindAddress } = options;
  const securePort = await choosePort({ asked: options.securePort, last: last?.port, host: bindAddress });
  const user = userBehindSudo();
  const writeKubeconfig =
    options.writeKubeconfig ?? (user && options.dataDir === undefined ? sudoKubeconfig(user, options.name) : undefined);
  const storage = options.inMemory ? "memory" : options.storage;
  const cluster = await runCluster(
    {
      server: {
        ...(await runOptionsFrom({ ...options, writeKubeconfig, dataDir: folder, securePort, storage }, given, log)),
        kubeconfigOwner: user,
        announcesLater: true,
      },
      split: options.split,
      log: partLog(options, given),
      controllers: options.controllers,
      nodes: machines ? options.simulatedNodes : count,
      ...(machines && {
        machines: {
          ...machines,
          count,
          namePrefix: options.name === "default" ? "coxswain" : options.name,
          address: joiningAddress(options),
        },
      }),
      volumesDirectory: options.inMemory ? undefined : join(folder, "volumes"),
      schedulerConfig: options.schedulerConfig,
      stages: options.stages,
      signingDurationMs: options.clusterSigningDuration,
      simulation: options.simulation,
      kubeletConfig: options.kubeletConfig,
      metrics: options.metrics,
      dnsPort: options.dnsPort,
      gatewayPort: options.gatewayPort ?? (await freeGatewayPort()),
      gatewayApi: gatewayApiOf(options, given),
      localCertificates: options.gatewayTls
        ? createLocalCertificates(clustersFolder(), { clock: systemClock, random: systemRandom })
        : undefined,
      gatewayAddresses:
        options.gatewayAddresses === undefined
          ? undefined
          : gatewayAddressesFrom(options.gatewayAddresses, "127.0.0.1"),
      loadBalancers: loadBalancersFrom(options.loadBalancerAddresses ?? (await freeAddresses())),
    },
    log,
    report,
  );
  boundHeapGrowth(systemClock);
  const signal = untilSignal(); // before the greeting: a client that reads it may end the cluster at once
  cluster.announce();
  const page = options.console ? await openConsole(cluster, options, log) : undefined;
  await greet(cluster, {
    report,
    merge: options.mergeKubeconfig,
    name: options.name,
    link: page?.createLink(),
    stop: given.has("detach") ? `"coxswain down${choiceWords(options)}"` : "Ctrl-C", // detached it is started with --detach=false
  });
  // Last: a command that waits for this file prints the output up to here.
  writeState(folder, {
    name: options.name,
    pid: process.pid,
    pidStart: ownStart(),
    url: cluster.url,
    port: cluster.port,
    kubeconfig: cluster.kubeconfig,
    nodes: count,
    ...(machines && { machines: cluster.machines }),
    startedAt: new Date(systemClock.now()).toISOString(),
  });
  const served = page ? { ...cluster, stop: () => page.stop().then(() => cluster.stop()) } : cluster;
  return serveUntilSignal(served, signal, log);
}

/** A console that cannot be served, for want of a port, is no reason to be without a cluster. */
async function openConsole(
  { kubeconfig }: RunningServer,
  { name, consolePort }: OptionsOf<typeof upFlags>,
  log: ReturnType<typeof loggerFrom>,
) {
  try {
    const { serveOwnConsole } = await import("./console/serve-own-console.js");
    return await serveOwnConsole(systemRuntime({ log }), { kubeconfig, cluster: name, port: consolePort });
  } catch (error) {
    log.warn("the console is not served", { error });
    return undefined;
  }
}

/** Where machines that join reach this one; undefined: it serves only itself. */
const joiningAddress = ({ bindAddress }: OptionsOf<typeof upFlags>): string | undefined =>
  isLoopback(bindAddress) ? undefined : advertisedAddress(bindAddress, (name) => !name.startsWith(linkPrefix));

/** Every address of 127.0.0.0/8 is this machine on Linux; elsewhere only 127.0.0.1 is, unless somebody configures others. */
const freeAddresses = async (): Promise<string> =>
  process.platform === "linux" ? (await claimRange()).range : "127.0.0.1"; // held until this process ends

/** @throws FlagError with all that is missing */
const machinesFor = (
  options: OptionsOf<typeof upFlags>,
  { folder, count, log }: Pick<UpContext, "folder" | "count" | "log">,
): Promise<OpenMachines> =>
  openMachines(systemRuntime({ log }), {
    ...options,
    folder,
    nodeCount: count + options.simulatedNodes,
    serviceNetworks: options.serviceClusterIpRange,
  });

/** Those that were asked for, and of a dual-stack cluster one of the other family where they are of one. */
const serviceNetworks = (asked: readonly string[], ipv6: string | undefined): string[] =>
  ipv6 === undefined || asked.length > 1 ? [...asked] : [...asked, ipv6];

/** The API server is also reached on the bridge, and reaches nodes by their addresses and services at their endpoints: it is on no node. */
const withMachines = <T extends OptionsOf<typeof upFlags>>(options: T, { site }: OpenMachines): T => ({
  ...options,
  moreBindAddresses:
    options.bindAddress === "0.0.0.0" ? options.moreBindAddresses : [...options.moreBindAddresses, site.gateway],
  advertiseAddress: options.advertiseAddress ?? site.gateway,
  serviceClusterIpRange: serviceNetworks(options.serviceClusterIpRange, site.networks.ipv6?.services),
  kubeletPreferredAddressTypes: ["InternalIP"],
  enableAggregatorRouting: true,
});

/** On by default for new clusters; who asks for it has it in those of before, too. */
function gatewayApiOf(
  { gatewayApi, gatewayAddresses }: Pick<UpContext["options"], "gatewayApi" | "gatewayAddresses">,
  given: ReadonlySet<string>,
): ClusterRunOptions["gatewayApi"] {
  if (gatewayAddresses !== undefined) return "ensured";
  if (!gatewayApi) return "none";
  return given.has("gateway-api") ? "ensured" : "first";
}

/** @throws FlagError */
function loadBalancersFrom(text: string): AddressPool | undefined {
  if (text === "") return undefined;
  const pool = addressPoolFrom(text);
  if (!pool)
    throw new FlagError(
      `--load-balancer-addresses must be an address or an IPv4 range such as 127.64.0.0/16, not ${JSON.stringify(text)}`,
    );
  return pool;
}

interface Greeting {
  readonly report: Report;
  readonly merge: boolean;
  readonly name: string;
  readonly link: string | undefined;
  /** What stops the cluster: a key, or a command. */
  readonly stop: string;
}

async function greet(cluster: RunningServer, { report, merge, name, link, stop }: Greeting): Promise<void> {
  report.line("");
  if (merge) {
    const { file, context } = await mergeKubeconfig(name, cluster);
    report.line(`  context ${context} in ${file}`);
  } else report.line(`  export KUBECONFIG=${cluster.kubeconfig}`);
  report.line("  kubectl get nodes");
  if (link !== undefined) report.line(`  open ${link}`);
  report.line(`\n${stop} stops it.`);
}
