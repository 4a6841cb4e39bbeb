import { getOwn } from "@coxswain/apimachinery/own";
import type { EventText } from "../../own-writes/server-events.js";
import { managedBy } from "../address-object.js";
import { isExternalName } from "../service.js";
import { type Holdings, namesService, type StoredAddress } from "./check-service.js";

export type AddressVerdict =
  | { readonly do: "keep" }
  | { readonly do: "look later"; readonly afterMs: number }
  | { readonly do: "remove"; readonly warning: EventText };

/** As long as a request may take: a kube-apiserver over the same store makes the IPAddress first and the service then. */
const graceMs = 60_000;
const shortGraceMs = 5_000;

/** Of the IPAddresses that were made for services, none stays without a service that has it. */
export function checkAddress(
  address: StoredAddress,
  { serviceOf }: Pick<Holdings, "serviceOf">,
  now: number,
): AddressVerdict {
  const { metadata, spec } = address;
  if (getOwn(metadata.labels, managedBy.label) !== managedBy.value) return { do: "keep" };
  const { group = "", resource = "", namespace = "", name = "" } = spec?.parentRef ?? {};
  if (!namesService(address))
    return remove(
      "IPAddressNotAllocated",
      `IPAddress ${metadata.name} appears to have been modified, not referencing a Service &ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${name},}: cleaning up`,
    );
  const madeMs = Date.parse(metadata.creationTimestamp ?? "");
  const ageMs = now - madeMs;
  const service = serviceOf(namespace, name);
  if (!service)
    return ageMs > graceMs
      ? remove(
          "IPAddressNotAllocated",
          `IPAddress: ${metadata.name} for Service ${namespace}/${name} appears to have leaked: cleaning up`,
        )
      : { do: "look later", afterMs: graceMs - ageMs + 1 };
  if ((service.spec.clusterIPs ?? []).includes(metadata.name ?? "")) return { do: "keep" };
  if (isExternalName(service.spec) && ageMs < graceMs) return { do: "look later", afterMs: graceMs - ageMs };
  if (madeMs > Date.parse(service.metadata.creationTimestamp ?? "") && ageMs < shortGraceMs)
    return { do: "look later", afterMs: shortGraceMs };
  return remove(
    "IPAddressWrongReference",
    `IPAddress: ${metadata.name} for Service ${namespace}/${name} has a wrong reference; cleaning up`,
  );
}

const remove = (reason: string, note: string): AddressVerdict => ({
  do: "remove",
  warning: { reason, action: "IPAddressAllocation", note },
});
