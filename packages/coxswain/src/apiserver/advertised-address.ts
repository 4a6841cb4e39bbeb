import { hostname, type NetworkInterfaceInfo, networkInterfaces } from "node:os";

export const isLoopback = (address: string): boolean =>
  address.startsWith("127.") || address === "::1" || address === "localhost";
const isUnspecified = (address: string): boolean => address === "" || address === "0.0.0.0" || address === "::";

/** An address that others can use: the one to listen on, or one of this machine's. Undefined: it has none but its own loopback. */
export function advertisedAddress(
  bindAddress: string,
  isUsable: (interfaceName: string) => boolean = () => true,
): string | undefined {
  if (!isLoopback(bindAddress) && !isUnspecified(bindAddress)) return bindAddress;
  return ownInterfaces(isUsable).find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

const ownInterfaces = (isUsable: (name: string) => boolean = () => true): NetworkInterfaceInfo[] =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses]) => (isUsable(name) ? (addresses ?? []) : []));

/** What clients may call a server by that listens there: of all addresses each, with the machine's name. */
export const namesOf = (bindAddress: string): string[] =>
  isUnspecified(bindAddress) ? [hostname(), ...ownInterfaces().map(({ address }) => address)] : [bindAddress];

/** An address by which clients on this machine reach a server that listens there. */
export const localAddress = (bindAddress: string): string => (isUnspecified(bindAddress) ? "127.0.0.1" : bindAddress);

/** Where clients elsewhere, such as pods that look for the keys of tokens, find a server; undefined: no address was named for them. */
export function publicAddress(advertised: string | undefined, port: number): string | undefined {
  if (advertised === undefined) return undefined;
  return `${advertised.includes(":") ? `[${advertised}]` : advertised}:${port}`;
}
