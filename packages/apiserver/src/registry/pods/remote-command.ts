import { badRequest } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import { asksForUpgrade, isWebSocketRequest, requestedProtocols } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { handOnUpgrade } from "../streams/hand-on-upgrade.js";
import { encodeQuery, type Location } from "../streams/location.js";
import { connectionOf, type NodeConnection } from "../streams/node-connection.js";
import { readObject } from "../streams/read-object.js";
import { type CommandOptions, commandQuery } from "../streams/stream-options.js";
import { translateCommand } from "../streams/translate-command.js";
import { chooseContainer } from "./choose-container.js";

export const handleExec = (
  deps: RegistryDeps,
  context: RequestContext,
  target: Target,
  options: CommandOptions,
): Promise<Answer> => connect(deps, context, target, { path: "exec", options });

export const handleAttach = (
  deps: RegistryDeps,
  context: RequestContext,
  target: Target,
  options: CommandOptions,
): Promise<Answer> => connect(deps, context, target, { path: "attach", options: { ...options, command: [] } });

/**
 * Clients that can end single channels (v5) are translated here, since a kubelet may not know how; those that speak SPDY or
 * an older WebSocket protocol are carried through to the kubelet as they are. So is everything where the kubelet announces support.
 */
async function connect(
  deps: RegistryDeps,
  context: RequestContext,
  { namespace, name }: Target,
  { path, options }: { path: string; options: CommandOptions },
): Promise<Answer> {
  const pod = await readObject<StoredPod>(deps, context, "pods", namespace, name);
  const container = chooseContainer(options.container, pod);
  const node = await connectionOf(deps, context, assignedNode(pod));
  const query = encodeQuery([
    ...commandQuery(options),
    ...options.command.map((word): [string, string] => ["command", word]),
  ]);
  const location: Location = {
    scheme: "https",
    hostname: node.hostname,
    port: node.port,
    path: `/${path}/${namespace}/${name}/${container}`,
    query,
    tls: deps.streams.kubeletTls,
  };
  const { request } = context;
  const translates = deps.gates.enabled("TranslateStreamCloseWebsocketRequests") && !takesWebSockets(deps, node);
  if (translates && isWebSocketRequest(request) && requestedProtocols(request).includes("v5.channel.k8s.io"))
    return translateCommand(deps, context, location, options);
  if (!asksForUpgrade(request) || !request.wire?.upgrade) throw badRequest("Upgrade request required");
  return handOnUpgrade(deps, context, location);
}

/** @throws StatusError 400 */
export function assignedNode({ metadata, spec }: StoredPod): string {
  if ((spec.nodeName ?? "") === "") throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  return spec.nodeName ?? "";
}

export const takesWebSockets = (deps: RegistryDeps, node: NodeConnection): boolean =>
  deps.gates.enabled("ExtendWebSocketsToKubelet") && node.features.includes("ExtendWebSocketsToKubelet");
