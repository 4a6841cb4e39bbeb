import { Quantity } from "@coxswain/apimachinery/quantity";
import type { Service } from "../gen/types/core-v1.js";
import { one, zero } from "./amounts.js";
import type { UsageEvaluator } from "./usage-evaluator.js";

const names = new Set(["count/services", "services", "services.nodeports", "services.loadbalancers"]);

/** Services, and what they take on nodes and of the cloud. */
export const serviceEvaluator: UsageEvaluator = {
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
