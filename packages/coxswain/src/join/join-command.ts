import { lookup } from "node:dns/promises";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { isForbidden, isNotFound } from "@coxswain/apimachinery/status";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { Client } from "@coxswain/client";
import { type ConnectedClient, connect } from "@coxswain/client/node";
import { makeDirectory, writeFileAtomically } from "@coxswain/component/files";
import { FlagError, formatHelp, type OptionsOf, parseFlags } from "@coxswain/component/flags";
import { runProgram } from "@coxswain/component/programs";
import { findProblems, readPreflightFacts } from "@coxswain/machines";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { loggerFrom } from "../command/log-flags.js";
import { fileKubeconfig } from "../component/file-kubeconfig.js";
import { requestNodeCertificate } from "../kubelet/certificates/request-certificate.js";
import { pairText } from "../kubelet/certificates/rotating-identity.js";
import { runNodeRun } from "../node/run/run-node-command.js";
import { isPin } from "./authority-pin.js";
import { type BootstrapToken, formatToken, parseToken } from "./bootstrap-token.js";
import { joinControlPlane } from "./control-plane/join-control-plane.js";
import { type DiscoveredCluster, discoverCluster } from "./discover-cluster.js";
import { joinFlags } from "./join-flags.js";
import { joinedConfig } from "./joined-config.js";
import { type ClusterNetwork, type NodeRunFacts, nodePlaces, planNodeFlags, systemdUnit } from "./plan-node-flags.js";

type JoinOptions = OptionsOf<typeof joinFlags>;

const usage = "coxswain join https://HOST:6443 --token TOKEN --ca-cert-hash sha256:… [flags]";
const description =
  "Makes this machine a node of a cluster, with its own container runtime, or with --control-plane one more of its control plane. coxswain token create prints the command; coxswain leave ends a node.";

export async function runJoin(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(joinFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(joinFlags, { usage, description }));
    return 0;
  }
  const { options, rest } = parsed;
  const [server = "", ...others] = rest;
  if (!server.startsWith("https://") || !URL.canParse(server) || others.length > 0)
    throw new FlagError(`which cluster? ${usage}`);
  const token = checkTrust(options);
  if (options.controlPlane) return joinAsControlPlane(options, { server, token });
  if (options.certificateKey !== undefined) throw new FlagError("--certificate-key goes with --control-plane");
  const problems = findProblems(await readPreflightFacts(systemClock));
  if (problems.length > 0) throw new FlagError(problems.join("\n  "));
  const runtime = systemRuntime({ log: loggerFrom(options) });
  const nodeName = (options.nodeName ?? hostname()).toLowerCase();
  const cluster = await discoverCluster({ server, token, pins: options.caCertHash });
  const flags = await joinCluster(runtime, { options, cluster, token, nodeName, server });
  process.stdout.write(`this machine has joined the cluster at ${cluster.server} as node ${nodeName}\n`);
  if (!options.printUnit) return runNodeRun(flags);
  const command = [process.execPath, ...process.execArgv, resolve(process.argv[1] ?? ""), "node", "run", ...flags];
  process.stdout.write(systemdUnit(nodeName, command));
  return 0;
}

async function joinAsControlPlane(
  options: JoinOptions,
  { server, token }: { readonly server: string; readonly token: BootstrapToken },
): Promise<number> {
  const { certificateKey, dataDir, securePort: port, printUnit } = options;
  if (certificateKey === undefined) throw new FlagError("--control-plane needs --certificate-key");
  const runtime = systemRuntime({ log: loggerFrom(options) });
  const cluster = await discoverCluster({ server, token, pins: options.caCertHash });
  const address = options.bindAddress ?? options.nodeIp ?? (await ownAddress(runtime, server));
  return joinControlPlane(runtime, { cluster, token, certificateKey, dataDir, address, port, printUnit });
}

/** @throws FlagError */
function checkTrust({ token: text, caCertHash, unsafeSkipCaVerification }: JoinOptions): BootstrapToken {
  const token = parseToken(text ?? "");
  if (!token) throw new FlagError('--token must be one that "coxswain token create" printed: abcdef.0123456789abcdef');
  const bad = caCertHash.find((pin) => !isPin(pin));
  if (bad !== undefined)
    throw new FlagError(`--ca-cert-hash must be sha256: and 64 digits, not ${JSON.stringify(bad)}`);
  if (caCertHash.length === 0 && !unsafeSkipCaVerification)
    throw new FlagError("--ca-cert-hash is needed, or --unsafe-skip-ca-verification: somebody else may answer there");
  return token;
}

interface Joining {
  readonly options: JoinOptions;
  readonly cluster: DiscoveredCluster;
  readonly token: BootstrapToken;
  readonly nodeName: string;
  readonly server: string;
}

/** Gets the node's credentials and configuration, and writes them. Answers the flags of `coxswain node run`. */
async function joinCluster(runtime: Runtime, joining: Joining): Promise<string[]> {
  const { options, cluster, token, nodeName, server } = joining;
  const nodeIp = options.nodeIp ?? (await ownAddress(runtime, server));
  const authority = { certificateAuthority: { data: cluster.authority } };
  const client = connect({ server: cluster.server, ...authority, token: formatToken(token) });
  try {
    await refuseTakenName(client, nodeName);
    const kubelet = await readConfigMap(client, "kubelet-config");
    const network = options.network === "none" ? undefined : await readConfigMap(client, "coxswain-node-network");
    const { signal } = new AbortController();
    const expirationSeconds = options.certTtl === undefined ? undefined : Math.round(options.certTtl / 1000);
    const pair = await requestNodeCertificate(runtime, { client, nodeName, expirationSeconds, signal });
    writeNode(options.dataDir, { cluster, kubelet: kubelet?.["kubelet"] ?? "{}", certificate: pairText(pair), nodeIp });
    if (network) await forwardPackets(runtime, options.cniConfDir);
    const joined: NodeRunFacts = {
      dataDir: options.dataDir,
      nodeName,
      nodeIp,
      endpoint: options.containerRuntimeEndpoint,
      network: network as ClusterNetwork | undefined,
      cniFolder: options.cniConfDir,
      hasProxy: await mayRunProxy(options, cluster),
    };
    writeFileAtomically(nodePlaces(options.dataDir).state, `${JSON.stringify(joined, null, 2)}\n`, 0o600);
    return planNodeFlags(joined);
  } finally {
    await client.close();
  }
}

/** A second machine of the same name would take the first one's pods. @throws FlagError */
async function refuseTakenName(client: Client, nodeName: string): Promise<void> {
  try {
    const { status } = await client.core.v1.nodes().get(nodeName);
    if (status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"))
      throw new FlagError(`the cluster has a node ${nodeName} that is ready: name this one by --node-name`);
  } catch (error) {
    if (!isNotFound(error) && !isForbidden(error)) throw error;
  }
}

/** Undefined: the cluster has none, or does not show it. */
async function readConfigMap(client: Client, name: string): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return (await client.core.v1.configmaps("kube-system").get(name)).data;
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** A cluster that lets nodes read EndpointSlices expects a proxy on each; kubeadm's brings its own. */
async function mayRunProxy({ dataDir }: JoinOptions, { server, authority }: DiscoveredCluster): Promise<boolean> {
  const file = nodePlaces(dataDir).certificate;
  const asNode: ConnectedClient = connect({
    server,
    certificateAuthority: { data: authority },
    clientCertificate: { cert: { file }, key: { file } },
  });
  try {
    const resourceAttributes = { group: "discovery.k8s.io", resource: "endpointslices", verb: "list" };
    const review = await asNode.authorization.v1.selfsubjectaccessreviews().create({ spec: { resourceAttributes } });
    return review.status?.allowed === true;
  } finally {
    await asNode.close();
  }
}

interface NodeContent {
  readonly cluster: DiscoveredCluster;
  readonly kubelet: string;
  readonly certificate: string;
  readonly nodeIp: string;
}

function writeNode(dataDir: string, { cluster, kubelet, certificate, nodeIp }: NodeContent): void {
  const places = nodePlaces(dataDir);
  makeDirectory(dirname(places.certificate));
  const write = (file: string, content: string): void => writeFileAtomically(file, content, 0o600);
  write(places.authority, cluster.authority);
  write(places.certificate, certificate);
  write(places.config, joinedConfig(parseYaml(kubelet).value, { address: nodeIp, clientCa: places.authority }));
  const { authority, certificate: pair } = places;
  write(places.kubeconfig, fileKubeconfig({ server: cluster.server, authority, certificate: pair, key: pair }));
}

/** The address from which the machine reaches the API server. @throws FlagError where there is no way */
async function ownAddress({ ioClock }: Runtime, server: string): Promise<string> {
  const { address } = await lookup(new URL(server).hostname, { family: 4 });
  const found = JSON.parse(await runProgram(ioClock, ["ip", "-json", "-4", "route", "get", address], "")) as {
    prefsrc?: string;
  }[];
  const own = found[0]?.prefsrc;
  if (own === undefined) throw new FlagError(`the address of this machine is not known: name it by --node-ip`);
  return own;
}

/** Between pods and other machines; packets between pods behind one bridge must be seen by the rules of services, too. */
const forwarding = ["net/ipv4/ip_forward", "net/bridge/bridge-nf-call-iptables"];

async function forwardPackets({ ioClock }: Runtime, cniFolder: string): Promise<void> {
  await runProgram(ioClock, ["modprobe", "br_netfilter"], "").catch(() => {}); // it may be built in; what is missing is seen below
  for (const name of forwarding) writeFileSync(`/proc/sys/${name}`, "1");
  mkdirSync(cniFolder, { recursive: true });
}
