import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { isNotFound, isServerTimeout } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import { formatNetwork, parseNetwork } from "../networks/ip-network.js";
import type { NetworkPool } from "./network-pool.js";

/** What the work on all nodes shares. */
export interface NodeIpamWork {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** One for each of the cluster's networks, in their order. */
  readonly pools: readonly NetworkPool[];
  /** By UID: nodes whose networks were written and may not be in the cache yet. */
  readonly written: Set<string>;
}

/** Gives the node its networks, or notes those that it has. */
export async function reconcileNode(work: NodeIpamWork, node: DeepReadonly<Node>): Promise<void> {
  const { client, pools, written } = work;
  const uid = node.metadata?.uid ?? "";
  if (node.metadata?.deletionTimestamp || written.has(uid)) return;
  if (node.spec?.podCIDRs?.length) return eachNetwork(work, node, (pool, network) => pool.occupy(network));
  const given = pools.map((pool) => pool.allocate());
  const release = (): void =>
    given.forEach((network, at) => {
      if (network) pools[at]?.release(network);
    });
  if (given.includes(undefined)) {
    release();
    record(work, node, "CIDRNotAvailable");
    throw new Error(
      `failed to allocate cidr from cluster cidr at idx:${given.indexOf(undefined)}: CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range`,
    );
  }
  const podCIDRs = given.flatMap((network) => (network ? [formatNetwork(network)] : []));
  written.add(uid);
  await client.core.v1
    .nodes()
    .patch(node.metadata?.name ?? "", { strategic: { spec: { podCIDR: podCIDRs[0], podCIDRs } } })
    .catch((error: unknown) => {
      // Whether it was written is not known after a timeout; a restart finds out.
      if (!isServerTimeout(error)) release();
      written.delete(uid);
      if (isNotFound(error)) return;
      record(work, node, "CIDRAssignmentFailed");
      throw error;
    });
}

const reference = ({ metadata }: DeepReadonly<Node>) => ({
  apiVersion: "v1",
  kind: "Node",
  name: metadata?.name ?? "",
  uid: metadata?.uid ?? "",
});

const record = ({ recorder }: NodeIpamWork, node: DeepReadonly<Node>, reason: string): void =>
  recorder.event(reference(node), {
    type: "Normal",
    reason,
    message: `Node ${node.metadata?.name} status is now: ${reason}`,
  });

/** Applies `use` to each network of the node. @throws Error for one that the cluster's networks do not contain */
export function eachNetwork(
  { pools }: NodeIpamWork,
  { metadata, spec }: DeepReadonly<Node>,
  use: (pool: NetworkPool, network: NonNullable<ReturnType<typeof parseNetwork>>) => void,
): void {
  for (const [at, text] of (spec?.podCIDRs ?? []).entries()) {
    const network = parseNetwork(text);
    if (!network) throw new Error(`failed to parse node ${metadata?.name}, CIDR ${text}`);
    const pool = pools[at];
    if (!pool)
      throw new Error(
        `node:${metadata?.name} has an allocated cidr: ${text} at index:${at} that does not exist in cluster cidrs configuration`,
      );
    use(pool, network);
  }
}
