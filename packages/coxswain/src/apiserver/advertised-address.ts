import { networkInterfaces } from "node:os";

const isLoopback = (address: string): boolean =>
  address.startsWith("127.") || address === "::1" || address === "localhost";
const isUnspecified = (address: string): boolean => address === "" || address === "0.0.0.0" || address === "::";

/** An address that others can use: the one to listen on, or one of this machine's. Undefined: it has none but its own loopback. */
export function advertisedAddress(bindAddress: string): string | undefined {
  if (!isLoopback(bindAddress) && !isUnspecified(bindAddress)) return bindAddress;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
