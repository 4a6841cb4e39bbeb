import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/**
 * An IPv4 address of this machine that is not loopback; undefined where there is none. A server that serves on loopback may advertise
 * it: kube-apiserver makes no Endpoints for a loopback address.
 */
export function outsideAddress(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>> = networkInterfaces(),
): string | undefined {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address }) => family === "IPv4" && !internal && !address.startsWith("169.254."))
    ?.address;
}
