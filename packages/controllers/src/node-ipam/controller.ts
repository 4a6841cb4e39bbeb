import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { isNotFound, isServerTimeout } from "@coxswain/apimachinery/status";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { formatNetwork, overlaps, parseNetwork } from "../networks/ip-network.js";
import { createPoolMetrics } from "./metrics.js";
import { createNetworkPool } from "./network-pool.js";
import { clusterNetworks } from "./plan.js";

/** Gives every node its part of the networks that pods have addresses from. */
export const nodeIpamController: Controller = {
  name: "node-ipam-controller",
  aliases: ["nodeipam"],
  serviceAccount: "node-controller",
  start(context) {
    const { client, informers, settings, runtime } = context;
    if (!settings.nodeIpam) return undefined;
    const nodes = informers.of("core", "v1", "nodes");
    const recorder = context.recorder("cidrAllocator");
    const networks = clusterNetworks(settings.nodeIpam);
    const observe = createPoolMetrics(runtime.metrics);
    const pools = networks.map(({ network, nodeLength }) => createNetworkPool(network, nodeLength, observe(network)));
    for (const text of settings.nodeIpam.serviceCidrs ?? []) {
      const services = parseNetwork(text.trim());
      if (!services) runtime.log.warn("the range of services is no network", { range: text });
      for (const [at, { network }] of networks.entries())
        if (services && overlaps(network, services)) pools[at]?.occupy(services);
    }

    const reference = ({ metadata }: DeepReadonly<Node>) => ({
      apiVersion: "v1",
      kind: "Node",
      name: metadata?.name ?? "",
      uid: metadata?.uid ?? "",
    });
    const record = (node: DeepReadonly<Node>, reason: string): void =>
      recorder.event(reference(node), {
        type: "Normal",
        reason,
        message: `Node ${node.metadata?.name} status is now: ${reason}`,
      });

    /** Applies `use` to each network of the node. @throws Error for one that the cluster's networks do not contain */
    function eachNetwork(
      { metadata, spec }: DeepReadonly<Node>,
      use: (pool: ReturnType<typeof createNetworkPool>, network: NonNullable<ReturnType<typeof parseNetwork>>) => void,
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

    /** By UID: nodes whose networks were written and may not be in the cache yet. */
    const written = new Set<string>();
    const loop = createReconcileLoop(context, {
      name: "cidrallocator_node",
      workers: 30,
      async reconcile(name) {
        const node = nodes.indexer.getByKey(name);
        const uid = node?.metadata?.uid ?? "";
        if (!node || node.metadata?.deletionTimestamp || written.has(uid)) return;
        if (node.spec?.podCIDRs?.length) return eachNetwork(node, (pool, network) => pool.occupy(network));
        const given = pools.map((pool) => pool.allocate());
        const release = (): void =>
          given.forEach((network, at) => {
            if (network) pools[at]?.release(network);
          });
        if (given.includes(undefined)) {
          release();
          record(node, "CIDRNotAvailable");
          throw new Error(
            `failed to allocate cidr from cluster cidr at idx:${given.indexOf(undefined)}: CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range`,
          );
        }
        const podCIDRs = given.flatMap((network) => (network ? [formatNetwork(network)] : []));
        written.add(uid);
        await client.core.v1
          .nodes()
          .patch(name, { strategic: { spec: { podCIDR: podCIDRs[0], podCIDRs } } })
          .catch((error: unknown) => {
            // Whether it was written is not known after a timeout; a restart finds out.
            if (!isServerTimeout(error)) release();
            written.delete(uid);
            if (isNotFound(error)) return;
            record(node, "CIDRAssignmentFailed");
            throw error;
          });
      },
    });
    loop.handle(nodes, {
      onAdd: (node) => loop.queue.add(node.metadata?.name ?? ""),
      onUpdate: (_, node) => loop.queue.add(node.metadata?.name ?? ""),
      onDelete(node) {
        written.delete(node.metadata?.uid ?? "");
        try {
          eachNetwork(node, (pool, network) => pool.release(network));
        } catch (error) {
          runtime.log.warn("the networks of a deleted node were not released", { node: node.metadata?.name, error });
        }
      },
    });
    return {
      run() {
        // Before any network is given: what nodes have from an earlier run.
        for (const node of nodes.indexer.list())
          try {
            eachNetwork(node, (pool, network) => pool.occupy(network));
          } catch (error) {
            runtime.log.error("a node's network is none of the cluster's", { node: node.metadata?.name, error });
          }
        loop.run();
      },
      stop: () => loop.stop(),
    };
  },
};
