import type { NodeSummary } from "../contract/messages.js";
import { toneOf } from "../contract/tone.js";
import { Heads } from "./heads.js";
import { keepLasting, objectHash, tableHash } from "./route.js";

/** Pure: "1.5 GiB". */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** How full each node is. */
export function NodeBars({ nodes }: { readonly nodes: readonly NodeSummary[] }) {
  if (nodes.length === 0) return <p class="muted">There are no nodes, or you may not see them.</p>;
  return (
    <table class="plain nodes stacked">
      <Heads titles={["Node", "Status", "Pods", "CPU used", "Memory used"]} />
      <tbody>
        {nodes.map((node) => (
          <tr key={node.name}>
            <th scope="row">
              <a href={keepLasting(objectHash({ group: "", version: "v1", resource: "nodes", name: node.name }))}>
                {node.name}
              </a>
            </th>
            <td class={`tone-${toneOf(node.status)}`}>
              {node.status}
              {node.machine !== "" && <span class="chip warn">{node.machine}</span>}
            </td>
            <td>
              <a
                href={keepLasting(
                  tableHash({ group: "", version: "v1", resource: "pods" }, { filter: `node=${node.name}`, ns: "" }),
                )}
              >
                <Bar share={node.pods / node.podCapacity} text={`${node.pods} of ${node.podCapacity} pods`} />
              </a>
            </td>
            <td>
              <Bar
                share={node.cpuUsage === undefined ? undefined : node.cpuUsage / node.cpuCapacity}
                text={
                  node.cpuUsage === undefined
                    ? "not measured"
                    : `${node.cpuUsage.toFixed(2)} of ${node.cpuCapacity} CPUs`
                }
              />
            </td>
            <td>
              <Bar
                share={node.memoryUsage === undefined ? undefined : node.memoryUsage / node.memoryCapacity}
                text={
                  node.memoryUsage === undefined
                    ? "not measured"
                    : `${formatBytes(node.memoryUsage)} of ${formatBytes(node.memoryCapacity)}`
                }
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ share, text }: { readonly share: number | undefined; readonly text: string }) {
  if (share === undefined) return <span class="muted">{text}</span>;
  const level = share > 0.9 ? "bad" : share > 0.7 ? "warn" : "ok";
  return (
    <span class={`bar-cell ${level}`} title={text}>
      <span class="track" aria-hidden="true">
        <span style={{ width: `${Math.min(100, Math.round(share * 100) || 0)}%` }} />
      </span>
      {text}
    </span>
  );
}
