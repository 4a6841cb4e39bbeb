import type { Service } from "@coxswain/api/core/v1";
import { Quantity } from "@coxswain/apimachinery/quantity";
import { one, zero } from "./amounts.js";
import type { QuotaEvaluator } from "./evaluator.js";

const names = new Set(["count/services", "services", "services.nodeports", "services.loadbalancers"]);

/** Services, and what they take on nodes and of the cloud. A change of type counts as much as a new service. */
export const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  counts: (name) => names.has(name),
  usage(object) {
    const { type, ports = [], allocateLoadBalancerNodePorts } = (object as Service).spec ?? {};
    const balances = type === "LoadBalancer";
    // Ports are given to the service after this, so what counts is how many it will have.
    const nodePorts =
      type === "NodePort" || balances
        ? balances && allocateLoadBalancerNodePorts === false
          ? ports.filter(({ nodePort }) => nodePort).length
          : ports.length
        : 0;
    return new Map([
      ["count/services", one],
      ["services", one],
      ["services.loadbalancers", balances ? one : zero],
      ["services.nodeports", Quantity.of(nodePorts)],
    ]);
  },
};
