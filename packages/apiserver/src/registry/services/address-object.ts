import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { IpFamily, StoredService } from "./service.js";

export const managedBy = { label: "ipaddress.kubernetes.io/managed-by", value: "ipallocator.k8s.io" } as const;

export const addressLabels = (family: IpFamily): Readonly<Record<string, string>> => ({
  "ipaddress.kubernetes.io/ip-family": family,
  [managedBy.label]: managedBy.value,
});

/** The IPAddress by which a service holds an address; `name` is the address in canonical form. */
export function addressObject(
  { metadata }: { readonly metadata: Pick<StoredService["metadata"], "namespace" | "name"> },
  name: string,
): KubernetesObject {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: { name, labels: { ...addressLabels(name.includes(":") ? "IPv6" : "IPv4") } },
    spec: { parentRef: { resource: "services", namespace: metadata.namespace, name: metadata.name } },
  } as KubernetesObject;
}
