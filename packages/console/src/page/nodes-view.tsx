import { useSignal } from "@preact/signals";
import { NodeBars } from "./node-bars.js";
import { ProblemBox } from "./problem-box.js";
import { useFeed } from "./use-feed.js";

const orders = {
  name: "by name",
  pods: "fullest by pods",
  cpu: "fullest by CPU",
  memory: "fullest by memory",
} as const;

/** All nodes with what is on them, the fullest first if wanted. */
export function NodesView() {
  const order = useSignal<keyof typeof orders>("name");
  const { state } = useFeed("overview", { namespace: "" }, "nodes");
  const nodes = [...(state.value?.nodes ?? [])].sort((a, b) => {
    if (order.value === "pods") return b.pods / b.podCapacity - a.pods / a.podCapacity;
    if (order.value === "cpu") return (b.cpuUsage ?? 0) / b.cpuCapacity - (a.cpuUsage ?? 0) / a.cpuCapacity;
    if (order.value === "memory")
      return (b.memoryUsage ?? 0) / b.memoryCapacity - (a.memoryUsage ?? 0) / a.memoryCapacity;
    return a.name < b.name ? -1 : 1;
  });
  return (
    <section aria-label="Nodes" class="padded">
      <div class="toolbar">
        <h1>Nodes</h1>
        <span class="muted">{nodes.length}</span>
        <label>
          Order{" "}
          <select
            value={order.value}
            onChange={(event) => (order.value = event.currentTarget.value as keyof typeof orders)}
          >
            {Object.entries(orders).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {state.value?.problem && <ProblemBox problem={state.value.problem} />}
      {state.value ? <NodeBars nodes={nodes} /> : <p class="muted">loading …</p>}
    </section>
  );
}
