import { headerText } from "@coxswain/client/work";
import type { NodeStatuses } from "../framework/node-statuses.js";

/** Nodes that are named for one reason. */
const mostNames = 10;

/** Pure: which nodes refused a pod and why: "node-0, node-1: Insufficient cpu; node-2: node(s) were unschedulable". */
export function refusalText(statuses: Pick<NodeStatuses, "each">): string {
  const nodes = new Map<string, string[]>();
  statuses.each((node, { reasons }) => {
    const reason = reasons.join(", ");
    const named = nodes.get(reason);
    if (named) named.push(node);
    else nodes.set(reason, [node]);
  });
  const parts = [...nodes].map(([reason, names]) => {
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    return `${names.slice(0, mostNames).join(", ")}${more}: ${reason}`;
  });
  return headerText(parts.join("; "));
}
