import type { NodeInfo } from "../cache/node-info.js";

/** Scores that are named. */
const shown = 3;

/** Pure: why a node was chosen: "3 nodes fit; scored node-2 94, node-0 91, node-1 91". One pass: there may be thousands. */
export function choiceText(nodes: readonly Pick<NodeInfo, "name">[], totals: Float64Array): string {
  const best: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    let place = best.length;
    while (place > 0 && (totals[at] as number) > (totals[best[place - 1] as number] as number)) place--;
    if (place >= shown) continue;
    best.splice(place, 0, at);
    if (best.length > shown) best.pop();
  }
  const scores = best.map((at) => `${nodes[at]?.name} ${Math.round(totals[at] as number)}`);
  return `${nodes.length} nodes fit; scored ${scores.join(", ")}`;
}
