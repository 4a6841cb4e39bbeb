import { badRequest } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import { asksForUpgrade, isWebSocketRequest } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { handOnUpgrade } from "../streams/hand-on-upgrade.js";
import { encodeQuery, type Location } from "../streams/location.js";
import { connectionOf } from "../streams/node-connection.js";
import { readObject } from "../streams/read-object.js";
import { tunnelledProtocols, tunnelSpdy } from "../streams/tunnel-spdy.js";
import { assignedNode, takesWebSockets } from "./remote-command.js";

export interface PortForwardOptions {
  readonly ports: readonly number[];
}

/** SPDY is carried through to the kubelet; where it comes inside a WebSocket it is unwrapped here first. */
export async function handlePortForward(
  deps: RegistryDeps,
  context: RequestContext,
  { namespace, name }: Target,
  { ports }: PortForwardOptions,
): Promise<Answer> {
  const pod = await readObject<StoredPod>(deps, context, "pods", namespace, name);
  const node = await connectionOf(deps, context, assignedNode(pod));
  const query = ports.length === 0 ? "" : encodeQuery([["port", ports.join(",")]]);
  const location: Location = {
    scheme: "https",
    hostname: node.hostname,
    port: node.port,
    path: `/portForward/${namespace}/${name}`,
    query,
    tls: deps.streams.kubeletTls,
  };
  const { request } = context;
  const unwraps = deps.gates.enabled("PortForwardWebsockets") && !takesWebSockets(deps, node);
  if (unwraps && isWebSocketRequest(request) && tunnelledProtocols(request).length > 0)
    return tunnelSpdy(deps, context, location);
  if (!asksForUpgrade(request) || !request.wire?.upgrade) throw badRequest("Upgrade request required");
  return handOnUpgrade(deps, context, location);
}
