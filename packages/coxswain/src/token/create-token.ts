import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { ClientConfig } from "@coxswain/client/node";
import { defineFlags, FlagError, formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { pollUntil } from "@coxswain/runtime/wait";
import { pinsOf } from "../join/authority-pin.js";
import {
  drawToken,
  formatToken,
  joiningGroup,
  parseToken,
  tokenNamespace,
  tokenSecret,
} from "../join/bootstrap-token.js";
import { drawCertificateKey } from "../join/control-plane/certificate-key.js";
import { uploadKeys } from "../join/control-plane/upload-keys.js";
import { applyJoinObjects, ensureClusterInfo } from "../join/join-objects.js";
import { openCluster, type TokenCluster, tokenClusterFlags } from "./open-cluster.js";

const tokenFlags = defineFlags({
  ...tokenClusterFlags,
  token: {
    group: "Token",
    type: "string",
    value: "id.secret",
    help: "The token itself: abcdef.0123456789abcdef. Default: a new one.",
  },
  ttl: { group: "Token", type: "duration", default: "24h0m0s", help: "How long it counts; 0: for ever." },
  description: { group: "Token", type: "string", default: "", value: "text", help: "What it is for." },
  server: {
    group: "Token",
    type: "string",
    value: "url",
    help: "Where machines that join reach the API server. Default: this machine's address.",
  },
});

/** What `--control-plane` needs to know of the cluster. */
const controlPlaneFlags = defineFlags({
  "control-plane": {
    group: "Control plane",
    type: "boolean",
    help: "For one more machine of the control plane: put the cluster's keys, encrypted, into a Secret that lives two hours. --data-dir names the data directory of an API server.",
  },
  "certificate-key": {
    group: "Control plane",
    type: "string",
    value: "key",
    help: "What encrypts them: 64 hexadecimal digits. Default: a new one.",
  },
  "etcd-servers": { group: "Control plane", type: "string", value: "url,…", help: "Of the cluster." },
  "etcd-cafile": { group: "Control plane", type: "string", value: "file", help: "Who signed etcd's certificates." },
  "etcd-certfile": { group: "Control plane", type: "string", value: "file", help: "A client's certificate for etcd." },
  "etcd-keyfile": { group: "Control plane", type: "string", value: "file", help: "Its key." },
  "service-cluster-ip-range": {
    group: "Control plane",
    type: "string",
    value: "network",
    help: "That of the cluster's API servers. Default: theirs.",
  },
  "cluster-cidr": {
    group: "Control plane",
    type: "string",
    value: "network,…",
    help: "Of pods, from which the controller managers give nodes theirs. Default: they give none.",
  },
});

const flags = defineFlags({ ...tokenFlags, ...controlPlaneFlags });
type Options = OptionsOf<typeof flags>;

/** Prints the command by which a machine joins. */
export async function runTokenCreate(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(flags, args);
  if (parsed.kind === "help") {
    const description = "Makes a token with which machines join, and prints the command for them.";
    process.stdout.write(formatHelp(flags, { usage: "coxswain token create [flags]", description }));
    return 0;
  }
  const { options } = parsed;
  const token = options.token === undefined ? drawToken(systemRandom) : parseToken(options.token);
  if (!token)
    throw new FlagError("--token must be six and sixteen lower case letters or digits: abcdef.0123456789abcdef");
  const cluster = openCluster(options);
  try {
    const authority = authorityOf(cluster.config);
    const server = options.server ?? (await serverOf(cluster));
    if (cluster.isOwn) await applyJoinObjects(cluster.client, await joinFacts(cluster.client, server, authority));
    const more = options.controlPlane ? await openControlPlane(cluster, options, clusterInfoOf(server, authority)) : "";
    const expiresAt = options.ttl === 0 ? undefined : systemClock.now() + options.ttl;
    const secret = tokenSecret(token, { expiresAt, description: options.description, groups: [joiningGroup] });
    await cluster.client.core.v1.secrets(tokenNamespace).create(secret);
    await waitForSignature(cluster.client, token.id);
    const pins = pinsOf(authority).map((pin) => ` --ca-cert-hash ${pin}`);
    process.stdout.write(`coxswain join ${server} --token ${formatToken(token)}${pins.join("")}${more}\n`);
    return 0;
  } finally {
    await cluster.client.close();
  }
}

/** Uploads what one more machine of the control plane needs. Answers the flags for it. @throws FlagError */
async function openControlPlane({ client }: TokenCluster, options: Options, clusterInfo: string): Promise<string> {
  const { etcdServers, dataDir } = options;
  if (etcdServers === undefined || dataDir === undefined)
    throw new FlagError(
      "--control-plane needs --etcd-servers and --data-dir: several API servers share an etcd, and one of them has the keys",
    );
  const certificateKey = options.certificateKey ?? drawCertificateKey(systemRandom);
  await ensureClusterInfo(client, clusterInfo);
  await uploadKeys(
    client,
    {
      pki: join(resolve(dataDir), "pki"),
      etcd: { ca: options.etcdCafile, certificate: options.etcdCertfile, key: options.etcdKeyfile },
      certificateKey,
      facts: { etcdServers, serviceNetwork: options.serviceClusterIpRange, podNetwork: options.clusterCidr },
    },
    { clock: systemClock, random: systemRandom },
  );
  return ` --control-plane --certificate-key ${certificateKey}`;
}

/** @throws FlagError for a kubeconfig that trusts whom the machine trusts */
function authorityOf({ certificateAuthority: pem }: ClientConfig): string {
  if (!pem)
    throw new FlagError("the kubeconfig names no certificate authority: there is nothing that machines could trust");
  return "data" in pem ? pem.data : readFileSync(pem.file, "utf8");
}

/** @throws FlagError where no other machine reaches it */
async function serverOf({ client, config, isOwn, port }: TokenCluster): Promise<string> {
  if (!isOwn) return config.server;
  const { data = {} } = await client.core.v1
    .configmaps("kube-system")
    .get("coxswain-node-network")
    .catch((error: unknown) => {
      if (isNotFound(error)) return {} as { data?: Record<string, string> };
      throw error;
    });
  const address = data["gateway"] ?? "";
  if (address === "")
    throw new FlagError(
      "no other machine reaches this cluster: start it by coxswain up --runtime containerd --bind-address 0.0.0.0, or name --server",
    );
  return `https://${address}:${port}`;
}

/** What kubeadm's cluster-info has: a cluster without a name and without users. */
const clusterInfoOf = (server: string, authority: string): string =>
  `${JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "", cluster: { server, "certificate-authority-data": Buffer.from(authority).toString("base64") } },
    ],
    contexts: null,
    users: null,
    preferences: {},
    "current-context": "",
  })}\n`;

async function joinFacts(
  client: Client,
  server: string,
  authority: string,
): Promise<{ clusterInfo: string; kubeletConfig: string }> {
  const { spec } = await client.core.v1.services("kube-system").get("kube-dns");
  const kubelet = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true } },
    authorization: { mode: "Webhook" },
    clusterDNS: [spec?.clusterIP ?? ""],
    clusterDomain: "cluster.local",
    cgroupDriver: "cgroupfs",
    rotateCertificates: true,
    serverTLSBootstrap: true,
    failSwapOn: false,
  };
  return { clusterInfo: clusterInfoOf(server, authority), kubeletConfig: `${JSON.stringify(kubelet, null, 2)}\n` };
}

/** A machine that joins at once finds its signature. */
async function waitForSignature(client: Client, id: string): Promise<void> {
  const isSigned = async (): Promise<boolean> => {
    const { data = {} } = await client.core.v1.configmaps("kube-public").get("cluster-info");
    return data[`jws-kubeconfig-${id}`] !== undefined;
  };
  if (!(await pollUntil(isSigned, { intervalMs: 50, timeoutMs: 10_000, clock: systemClock })))
    process.stderr.write("cluster-info is not signed yet: does the bootstrap-signer-controller run?\n");
}
