import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { trustingTls } from "../streams/location.js";
import { connectionOf } from "../streams/node-connection.js";
import { proxyTo } from "../streams/proxy.js";
import { checkProxyable } from "../streams/proxyable-address.js";
import { splitSchemeNamePort } from "../streams/scheme-name-port.js";

/** The kubelet of a node, or another port of its machine. The kubelet's own port is always called as kubelets are. */
export async function handleNodeProxy(deps: RegistryDeps, context: RequestContext, target: Target): Promise<Answer> {
  const asked = splitSchemeNamePort(target.name, "node");
  const { hostname, port } = await connectionOf(deps, context, asked.name);
  const { network, mayProxyTo } = deps.streams;
  // A node of this process has a name that no resolver knows.
  if (!network.owns(hostname)) await checkProxyable(hostname, mayProxyTo);
  if (asked.port === "" || asked.port === port)
    return proxyTo(deps, context, { scheme: "https", hostname, port, tls: deps.streams.kubeletTls });
  return proxyTo(deps, context, { scheme: asked.scheme, hostname, port: asked.port, tls: trustingTls });
}
