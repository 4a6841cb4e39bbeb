import type { NodeAgent } from "../node/node-agent.js";
import type { StreamsInside } from "../runtime/container-runtime.js";
import { KubeletRefusal } from "./kubelet-source.js";

/** Streams that end in this process. @throws KubeletRefusal where the runtime has a server of its own */
export function insideStreams({ context }: NodeAgent): StreamsInside {
  const { streaming } = context.containers;
  if (streaming.kind === "inside") return streaming;
  throw new KubeletRefusal(501, "the node's pods are not in this process\n");
}
