import type { EndpointAddress, Endpoints, Service } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { serviceUnavailable } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { trustingTls } from "../streams/location.js";
import { proxyTo } from "../streams/proxy.js";
import { findObject, readObject } from "../streams/read-object.js";
import { splitSchemeNamePort } from "../streams/scheme-name-port.js";

/** One of a service's pods, by chance. Endpoints that are no pods of the namespace are never called: anyone could name any address there. */
export async function handleServiceProxy(deps: RegistryDeps, context: RequestContext, target: Target): Promise<Answer> {
  const asked = splitSchemeNamePort(target.name, "service");
  const portName = await portNameOf(deps, context, target.namespace, asked.name, asked.port);
  const endpoints = await readObject<Endpoints & KubernetesObject>(
    deps,
    context,
    "endpoints",
    target.namespace,
    asked.name,
  );
  const subsets = endpoints.subsets ?? [];
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quoteGo(asked.name)}`);
  for (const { addresses = [], ports = [] } of fromRandom(subsets, deps)) {
    const port = ports.find(({ name = "" }) => name === portName);
    if (!port) continue;
    for (const address of fromRandom(addresses, deps)) {
      if (await isPod(deps, context, target.namespace, address))
        return proxyTo(deps, context, {
          scheme: asked.scheme,
          hostname: address.ip,
          port: String(port.port),
          tls: trustingTls,
        });
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${quoteGo(target.name)}`);
}

/** A number is one of the service's own ports, and stands for its name. */
async function portNameOf(
  deps: RegistryDeps,
  context: RequestContext,
  namespace: string,
  name: string,
  port: string,
): Promise<string> {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const service = await readObject<Service & KubernetesObject>(deps, context, "services", namespace, name);
  const declared = service.spec?.ports?.find((one) => one.port === Number(port));
  if (!declared) throw serviceUnavailable(`no service port ${Number(port)} found for service ${quoteGo(name)}`);
  return declared.name ?? "";
}

async function isPod(
  deps: RegistryDeps,
  context: RequestContext,
  namespace: string,
  { ip, targetRef }: EndpointAddress,
): Promise<boolean> {
  if (!targetRef || targetRef.namespace !== namespace) return false;
  const pod = await findObject<StoredPod>(deps, context, "pods", namespace, targetRef.name ?? "");
  return pod?.status.podIPs?.some((known) => known.ip === ip) === true;
}

function* fromRandom<T>(items: readonly T[], { runtime }: RegistryDeps): Generator<T, void> {
  const first = Math.floor(runtime.random.next() * items.length);
  yield* items.slice(first);
  yield* items.slice(0, first);
}
