import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { overlaps, parseNetwork } from "../networks/ip-network.js";
import { createPoolMetrics } from "./metrics.js";
import { createNetworkPool } from "./network-pool.js";
import { clusterNetworks } from "./plan.js";
import { eachNetwork, type NodeIpamWork, reconcileNode } from "./reconcile-node.js";

/** Gives every node its part of the networks that pods have addresses from. */
export const nodeIpamController: Controller = {
  name: "node-ipam-controller",
  aliases: ["nodeipam"],
  serviceAccount: "node-controller",
  start(context) {
    const { client, informers, settings, runtime } = context;
    if (!settings.nodeIpam) return undefined;
    const nodes = informers.of("core", "v1", "nodes");
    const networks = clusterNetworks(settings.nodeIpam);
    const observe = createPoolMetrics(runtime.metrics);
    const pools = networks.map(({ network, nodeLength }) => createNetworkPool(network, nodeLength, observe(network)));
    for (const text of settings.nodeIpam.serviceCidrs ?? []) {
      const services = parseNetwork(text.trim());
      if (!services) runtime.log.warn("the range of services is no network", { range: text });
      for (const [at, { network }] of networks.entries())
        if (services && overlaps(network, services)) pools[at]?.occupy(services);
    }

    const work: NodeIpamWork = {
      client,
      recorder: context.recorder("cidrAllocator"),
      pools,
      written: new Set(),
    };
    const loop = createReconcileLoop(context, {
      name: "cidrallocator_node",
      workers: 30,
      async reconcile(name) {
        const node = nodes.indexer.getByKey(name);
        if (node) await reconcileNode(work, node);
      },
    });
    loop.handle(nodes, {
      onAdd: (node) => loop.queue.add(node.metadata?.name ?? ""),
      onUpdate: (_, node) => loop.queue.add(node.metadata?.name ?? ""),
      onDelete(node) {
        work.written.delete(node.metadata?.uid ?? "");
        try {
          eachNetwork(work, node, (pool, network) => pool.release(network));
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
            eachNetwork(work, node, (pool, network) => pool.occupy(network));
          } catch (error) {
            runtime.log.error("a node's network is none of the cluster's", { node: node.metadata?.name, error });
          }
        loop.run();
      },
      stop: () => loop.stop(),
    };
  },
};
