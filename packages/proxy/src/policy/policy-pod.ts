import type { DeepReadonly } from "@coxswain/api";
import type { Pod } from "@coxswain/api/core/v1";
import { type Address, readAddress } from "../addresses/family.js";

/** What policies look at in a pod. */
export interface PolicyPod {
  /** "namespace/name" */
  readonly key: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly nodeName: string;
  /** Empty until the pod's network is set up. */
  readonly addresses: readonly Address[];
  readonly namedPorts: readonly { readonly name: string; readonly protocol: string; readonly port: number }[];
}

/** Undefined for pods that policies do not concern: those in the node's network, whose address is the node's, and those that have ended. */
export function readPod(pod: DeepReadonly<Pod>): PolicyPod | undefined {
  const { metadata = {}, spec, status = {} } = pod;
  if (spec?.hostNetwork === true || status.phase === "Succeeded" || status.phase === "Failed") return undefined;
  const texts = (status.podIPs ?? []).length > 0 ? (status.podIPs ?? []).map(({ ip }) => ip) : [status.podIP ?? ""];
  const namespace = metadata.namespace ?? "";
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return {
    key: `${namespace}/${metadata.name ?? ""}`,
    namespace,
    labels: metadata.labels ?? {},
    nodeName: spec?.nodeName ?? "",
    addresses: texts.flatMap((text) => readAddress(text) ?? []),
    namedPorts: [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports = [] }) =>
      ports.flatMap(({ name, protocol = "TCP", containerPort }) =>
        name === undefined ? [] : [{ name, protocol, port: containerPort }],
      ),
    ),
  };
}
