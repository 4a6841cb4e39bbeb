import type { IPAddress } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { EventText } from "../../own-writes/server-events.js";
import { addressLabels } from "../address-object.js";
import { type Address, formatAddress, parseAddress } from "../ip-range.js";
import { isHeadless, type StoredService } from "../service.js";

export type StoredAddress = IPAddress & KubernetesObject;

/** What is stored now. */
export interface Holdings {
  addressOf(name: string): StoredAddress | undefined;
  serviceOf(namespace: string, name: string): StoredService | undefined;
  /** Whether it is of some ServiceCIDR, ready or not. */
  isInRange(address: Address): boolean;
}

/** What is to become of the IPAddress of this name. */
export interface Repair {
  readonly address: string;
  readonly do: "nothing" | "create" | "replace";
  readonly warning?: EventText;
}

const eventText = (reason: string, note: string): EventText => ({ reason, action: "ClusterIPAllocation", note });

/**
 * Each address of a service has an IPAddress that names the service. Every other state is reported; what can be repaired
 * without taking anything from another service is.
 */
export function checkService(service: StoredService, holdings: Holdings): Repair[] {
  const { spec } = service;
  if (!spec.clusterIP || isHeadless(spec)) return [];
  return (spec.clusterIPs ?? []).flatMap((text) => checkClusterIp(service, text, holdings) ?? []);
}

function checkClusterIp(service: StoredService, text: string, holdings: Holdings): Repair | undefined {
  const parsed = parseAddress(text);
  if (!parsed)
    return {
      address: text,
      do: "nothing",
      warning: {
        reason: "ClusterIPNotValid",
        action: "ClusterIPValidation",
        note: "Cluster IP <nil> is not a valid IP; please recreate Service",
      },
    };
  const address = formatAddress(parsed);
  const named = `[${parsed.family}]: ${address}`;
  if (!holdings.isInRange(parsed))
    return {
      address,
      do: "nothing",
      warning: eventText(
        "ClusterIPOutOfRange",
        `Cluster IP ${named} is not within any configured Service CIDR; please recreate service`,
      ),
    };
  const found = holdings.addressOf(address);
  if (!found)
    return {
      address,
      do: "create",
      warning: eventText("ClusterIPNotAllocated", `Cluster IP ${named} is not allocated; repairing`),
    };
  const { namespace = "", name = "" } = service.metadata;
  const wrong: Repair = {
    address,
    do: "replace",
    warning: eventText(
      "ClusterIPNotAllocated",
      `the ClusterIP ${named} for Service ${namespace}/${name} has a wrong reference; repairing`,
    ),
  };
  if (!namesService(found)) return wrong;
  const parent = found.spec?.parentRef;
  const isOwn = (parent?.namespace ?? "") === namespace && parent?.name === name;
  const holder = isOwn ? service : holdings.serviceOf(parent?.namespace ?? "", parent?.name ?? "");
  if (!holder) return wrong;
  const repair = hasLabels(found, parsed) ? "nothing" : "replace";
  // Else it would go to and fro between the two.
  const isShared = !isOwn && (holder.spec.clusterIPs ?? []).includes(address);
  if (isShared)
    return {
      address,
      do: repair,
      warning: eventText(
        "ClusterIPAlreadyAllocated",
        `Cluster IP [${parsed.family}]:${address} was assigned to multiple services; please recreate service`,
      ),
    };
  return repair === "nothing" ? undefined : { address, do: repair };
}

export const namesService = ({ spec }: StoredAddress): boolean =>
  !spec?.parentRef?.group && spec?.parentRef?.resource === "services";

const hasLabels = ({ metadata }: StoredAddress, { family }: Address): boolean =>
  Object.entries(addressLabels(family)).every(([label, value]) => getOwn(metadata.labels, label) === value);
