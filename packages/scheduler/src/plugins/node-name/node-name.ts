import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";

const name = "NodeName";
const refused = unresolvable(name, "node(s) didn't match the requested node name");

/** Keeps a pod that names its node off all others. */
export const createNodeName = (): Plugin => ({
  name,
  events: [{ event: clusterEvent("Node", actions.add) }],
  preFilter({ pod }) {
    const wanted = pod.pod.spec?.nodeName;
    if (!wanted) return skip;
    return { kind: "filter", filter: { filter: (node) => (node.name === wanted ? undefined : refused) } };
  },
});
