import type { DeepReadonly } from "@coxswain/api";
import type { EndpointAddress, EndpointPort, EndpointSubset } from "@coxswain/api/core/v1";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { sortSubsetPorts, sortSubsets } from "./hash-order.js";

export type Subset = DeepReadonly<EndpointSubset>;
type Address = DeepReadonly<EndpointAddress>;
type Port = DeepReadonly<EndpointPort>;

/** The addresses behind one port, and whether each is ready. */
interface Offer {
  readonly port: Port | undefined;
  readonly addresses: Map<string, { readonly address: Address; isReady: boolean }>;
}

/**
 * Pure: the canonical form of subsets. Ports with the same addresses are in one subset; an address that is ready in one place
 * and not in another is not; the same address of different pods is there twice.
 */
export function repackSubsets(subsets: readonly Subset[]): Subset[] {
  const offers = new Map<string, Offer>();
  const seen = new Map<string, Address>();
  // What has no ports is kept: the service is headless then.
  for (const { addresses, notReadyAddresses, ports } of subsets)
    for (const port of ports?.length ? ports : [undefined]) {
      const key = port ? JSON.stringify([port.name, port.port, port.protocol, port.appProtocol]) : "";
      const offer = offers.get(key) ?? { port, addresses: new Map() };
      offers.set(key, offer);
      const note = (address: Address, isReady: boolean): void => {
        const addressKey = JSON.stringify([address.ip, address.targetRef?.uid ?? ""]);
        const first = seen.get(addressKey) ?? address;
        seen.set(addressKey, first);
        const known = offer.addresses.get(addressKey);
        if (known) known.isReady &&= isReady;
        else offer.addresses.set(addressKey, { address: first, isReady });
      };
      for (const address of addresses ?? []) note(address, true);
      for (const address of notReadyAddresses ?? []) note(address, false);
    }

  const packed = new Map<string, { ports: Port[]; addresses: Address[]; notReadyAddresses: Address[] }>();
  for (const { port, addresses } of offers.values()) {
    const sorted = [...addresses.values()].sort((a, b) => compareAddresses(a.address, b.address));
    const key = JSON.stringify(sorted.map(({ address, isReady }) => [address.ip, address.targetRef?.uid, isReady]));
    const group = packed.get(key) ?? {
      ports: [],
      addresses: sorted.filter(({ isReady }) => isReady).map(({ address }) => address),
      notReadyAddresses: sorted.filter(({ isReady }) => !isReady).map(({ address }) => address),
    };
    packed.set(key, group);
    if (port) group.ports.push(port);
  }
  return sortSubsets(
    Array.from(packed.values(), ({ ports, addresses, notReadyAddresses }) => ({
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
      ...(ports.length > 0 && { ports: sortSubsetPorts(ports) }),
    })),
  );
}

/** By the text of the address, then by the pod; an address without a pod comes first. */
function compareAddresses(a: Address, b: Address): number {
  return compareUtf8(a.ip, b.ip) || compareUtf8(a.targetRef?.uid ?? "", b.targetRef?.uid ?? "");
}
