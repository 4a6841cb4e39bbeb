import type { ServiceAllocationOptions } from "@coxswain/apiserver";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { parsePortRange } from "./port-range.js";
import { checkServiceRanges } from "./service-ranges.js";

/** Where services get their addresses and ports from. */
export const serviceFlags = defineFlags({
  "service-cluster-ip-range": {
    group: "Network",
    type: "strings",
    default: ["10.96.0.0/16"],
    value: "cidr[,cidr]",
    help: "Where services get their addresses from: one range, or one of each address family.",
  },
  "service-node-port-range": {
    group: "Network",
    type: "string",
    default: "30000-32767",
    value: "first-last",
    help: "The ports that services may take on every node.",
  },
});

/** @throws FlagError */
export const servicesFrom = (options: OptionsOf<typeof serviceFlags>): ServiceAllocationOptions => ({
  clusterIpRanges: checkServiceRanges(options.serviceClusterIpRange),
  nodePorts: parsePortRange(options.serviceNodePortRange),
});
