import { createHmac, timingSafeEqual } from "node:crypto";
import { isForbidden, isUnauthorized } from "@coxswain/apimachinery/status";
import { parseKubeconfig } from "@coxswain/client/kubeconfig";
import { connect } from "@coxswain/client/node";
import { FlagError } from "@coxswain/component/flags";
import { pinsOf } from "./authority-pin.js";
import { type BootstrapToken } from "./bootstrap-token.js";

export interface DiscoverOptions {
  /** `https://HOST:6443`. */
  readonly server: string;
  readonly token: BootstrapToken;
  /** Of which the cluster's authority must be one; none: a server that knows the token is trusted. */
  readonly pins: readonly string[];
}

/** What is known of a cluster once its authority is trusted. */
export interface DiscoveredCluster {
  /** Of the API server, by the cluster itself. */
  readonly server: string;
  /** PEM. */
  readonly authority: string;
}

/**
 * Reads `cluster-info` without trusting the connection, trusts it by the token's signature and the pins, then reads it again over a
 * connection that is checked: both must be the same (cmd/kubeadm/app/discovery/token/token.go). @throws FlagError
 */
export async function discoverCluster({ server, token, pins }: DiscoverOptions): Promise<DiscoveredCluster> {
  const unchecked = await readClusterInfo(server, undefined);
  checkSignature(unchecked, token);
  const found = clusterOf(unchecked.kubeconfig);
  if (pins.length > 0 && !pinsOf(found.authority).some((pin) => pins.includes(pin)))
    throw new FlagError(
      `--ca-cert-hash: the authority of the cluster at ${server} is another one (${pinsOf(found.authority).join(", ")})`,
    );
  const checked = await readClusterInfo(server, found.authority);
  if (checked.kubeconfig !== unchecked.kubeconfig)
    throw new FlagError(`cluster-info of ${server} changed while it was read: try again`);
  return found;
}

interface ClusterInfo {
  readonly kubeconfig: string;
  readonly data: Readonly<Record<string, string>>;
}

async function readClusterInfo(server: string, authority: string | undefined): Promise<ClusterInfo> {
  const client = connect({
    server,
    ...(authority === undefined ? { insecureSkipTlsVerify: true } : { certificateAuthority: { data: authority } }),
  });
  try {
    const { data = {} } = await client.core.v1.configmaps("kube-public").get("cluster-info");
    return { kubeconfig: data["kubeconfig"] ?? "", data };
  } catch (error) {
    const isShut = isForbidden(error) || isUnauthorized(error);
    const hint = isShut ? '; "coxswain token create" opens it to those who join' : "";
    throw new FlagError(`cluster-info of ${server} cannot be read: ${(error as Error).message}${hint}`);
  } finally {
    await client.close();
  }
}

/** @throws FlagError where cluster-info was not signed by the token */
export function checkSignature({ kubeconfig, data }: ClusterInfo, { id, secret }: BootstrapToken): void {
  const signature = data[`jws-kubeconfig-${id}`];
  if (kubeconfig === "" || signature === undefined)
    throw new FlagError(
      `cluster-info has no signature of the token ${id}: it has expired, was deleted, or is another cluster's`,
    );
  const header = signature.split(".", 1)[0] ?? "";
  // RFC 7515, appendix F: the payload is left out. The header is the signer's, but the algorithm is not its to choose.
  const payload = Buffer.from(kubeconfig).toString("base64url");
  const expected = createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url");
  const [given, wanted] = [Buffer.from(signature), Buffer.from(`${header}..${expected}`)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new FlagError(`the signature of cluster-info does not fit the token ${id}: somebody else answers there`);
}

/** @throws FlagError for one that has no cluster with an authority */
function clusterOf(kubeconfig: string): DiscoveredCluster {
  const { clusters = [] } = parseKubeconfig(kubeconfig, "cluster-info");
  const cluster = clusters[0]?.cluster;
  const data = cluster?.["certificate-authority-data"];
  if (!cluster?.server || typeof data !== "string")
    throw new FlagError("cluster-info names no server with an authority");
  return { server: cluster.server, authority: Buffer.from(data, "base64").toString() };
}
