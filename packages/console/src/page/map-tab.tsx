import type { KubernetesValue, ObjectRef } from "../contract/messages.js";
import { GraphView } from "./graph-view.js";
import { ProblemBox } from "./problem-box.js";
import { useCall } from "./use-call.js";

/** What belongs to an object by owner, selector, volume and policy. */
export function MapTab({ objectRef, object }: { readonly objectRef: ObjectRef; readonly object: KubernetesValue }) {
  const { value, problem } = useCall("topology", { ref: objectRef }, object.metadata?.resourceVersion ?? "");
  if (problem) return <ProblemBox problem={problem} />;
  if (!value) return <p class="muted padded-line">loading …</p>;
  if (value.nodes.length < 2) return <p class="empty">Nothing belongs to it.</p>;
  return <GraphView graph={value} label="What belongs to it" />;
}
