import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { unschedulable } from "../../framework/status.js";
import { hostPortsOf, portsConflict, type UsedPorts, usePort } from "../../pod/host-ports.js";
import type { Pod } from "../../pod/objects.js";

const name = "NodePorts";
const refused = unschedulable(name, "node(s) didn't have free ports for the requested pod ports");

/** Keeps a pod off nodes where one of its host ports is taken. */
export const createNodePorts = (): Plugin => ({
  name,
  events: [
    {
      event: clusterEvent("Pod", actions.delete),
      hint({ hostPorts }, old) {
        const deleted = old as Pod;
        if (!deleted.spec?.nodeName && !deleted.status?.nominatedNodeName) return false;
        const freed: UsedPorts = new Map();
        for (const port of hostPortsOf(deleted)) usePort(freed, port);
        return portsConflict(freed, hostPorts);
      },
    },
    { event: clusterEvent("Node", actions.add) },
  ],
  preFilter({ pod: { hostPorts } }) {
    if (hostPorts.length === 0) return skip;
    return {
      kind: "filter",
      filter: { filter: ({ usedPorts }) => (portsConflict(usedPorts, hostPorts) ? refused : undefined) },
    };
  },
});
