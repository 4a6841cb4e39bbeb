import { getOwn } from "@coxswain/apimachinery/own";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { secondsOf, stepFor } from "./plan.js";

const annotation = "node.alpha.kubernetes.io/ttl";

/** Annotates nodes with how long their kubelets may keep Secrets and ConfigMaps: longer in larger clusters. */
export const ttlController: Controller = {
  name: "ttl-controller",
  aliases: ["ttl"],
  serviceAccount: "ttl-controller",
  start(context) {
    const { client, informers } = context;
    const nodes = informers.of("core", "v1", "nodes");
    let count = 0;
    let step = 0;
    const loop = createReconcileLoop(context, {
      name: "ttlcontroller",
      workers: 5,
      async reconcile(name) {
        const node = nodes.indexer.getByKey(name);
        const seconds = String(secondsOf(step));
        if (!node || getOwn(node.metadata?.annotations ?? {}, annotation) === seconds) return;
        await client.core.v1
          .nodes()
          .patch(name, { strategic: { metadata: { annotations: { [annotation]: seconds } } } });
      },
    });
    const changeCount = (by: number): void => {
      count += by;
      step = stepFor(count, step);
    };
    loop.handle(nodes, {
      onAdd({ metadata }) {
        changeCount(1);
        loop.queue.add(metadata?.name ?? "");
      },
      // Nodes report regularly; thereby a new step reaches all of them.
      onUpdate: (_, { metadata }) => loop.queue.add(metadata?.name ?? ""),
      onDelete: () => changeCount(-1),
    });
    return loop;
  },
};
