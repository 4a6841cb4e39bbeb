import { useEffect, useRef } from "preact/hooks";
import { type GraphPicture, nodeSize } from "../contract/graph.js";
import { keepLasting } from "./route.js";

/** A graph: nodes are links in reading order, lines are behind them. */
export function GraphView({ graph, label }: { readonly graph: GraphPicture; readonly label: string }) {
  const { nodes, edges, width, height, note } = graph;
  const titles = new Map(nodes.map(({ id, title, kind }) => [id, `${kind} ${title}`]));
  const box = useRef<HTMLDivElement>(null);
  // What was asked about is seen first, wherever it stands.
  useEffect(() => {
    const self = nodes.find(({ isSelf }) => isSelf);
    if (!self || !box.current) return;
    box.current.scrollTop = self.y - box.current.clientHeight / 2;
    box.current.scrollLeft = self.x - box.current.clientWidth / 2;
  }, [graph]);
  return (
    <div class="graph-box">
      <div class="graph" ref={box} role="group" aria-label={label} tabIndex={0}>
        <div style={{ width: `${width}px`, height: `${height}px` }}>
          <svg width={width} height={height} aria-hidden="true">
            {edges.map(({ from, to, points, isDashed }) => (
              <path key={`${from} ${to}`} d={curve(points)} class={isDashed ? "dashed" : ""} />
            ))}
          </svg>
          <ul>
            {nodes.map((node) => (
              <li
                key={node.id}
                class={`graph-node${node.isSelf ? " self" : ""} tone-border-${node.tone}`}
                style={{ left: `${node.x}px`, top: `${node.y}px`, width: `${nodeSize.width}px` }}
              >
                <span class="muted kind">{node.kind}</span>
                {node.hash === "" ? (
                  <strong title={node.title}>{node.title}</strong>
                ) : (
                  <a href={keepLasting(node.hash)} title={node.title}>
                    {node.title}
                  </a>
                )}
                <span class="muted detail" title={node.detail}>
                  {node.detail}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {note !== "" && <p class="muted">{note}</p>}
      <details class="padded-line">
        <summary>The same in words</summary>
        <ul>
          {edges.map(({ from, to, label: how }) => (
            <li key={`${from} ${to}`}>
              {titles.get(from)} {how === "" ? "→" : `– ${how} →`} {titles.get(to)}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** Through all points, level at each. */
function curve(points: readonly (readonly [number, number])[]): string {
  return points
    .map(([x, y], at) => {
      const [beforeX, beforeY] = points[at - 1] ?? [x, y];
      if (at === 0) return `M${x} ${y}`;
      const middle = (beforeX + x) / 2;
      return y === beforeY ? `L${x} ${y}` : `C${middle} ${beforeY} ${middle} ${y} ${x} ${y}`;
    })
    .join("");
}
