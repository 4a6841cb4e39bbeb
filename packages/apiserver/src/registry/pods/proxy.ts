import { badRequest } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { trustingTls } from "../streams/location.js";
import { proxyTo } from "../streams/proxy.js";
import { readObject } from "../streams/read-object.js";
import { splitSchemeNamePort } from "../streams/scheme-name-port.js";

/** A port of a pod: the one that is named, or the first that a container declares, or the scheme's own. */
export async function handlePodProxy(deps: RegistryDeps, context: RequestContext, target: Target): Promise<Answer> {
  const asked = splitSchemeNamePort(target.name, "pod");
  const pod = await readObject<StoredPod>(deps, context, "pods", target.namespace, asked.name);
  const declared = pod.spec.containers.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const hostname = pod.status.podIPs?.[0]?.ip ?? "";
  if (!deps.streams.mayProxyTo(hostname)) throw badRequest("address not allowed");
  return proxyTo(deps, context, {
    scheme: asked.scheme,
    hostname,
    port: asked.port !== "" ? asked.port : declared === undefined ? "" : String(declared),
    tls: trustingTls,
  });
}
