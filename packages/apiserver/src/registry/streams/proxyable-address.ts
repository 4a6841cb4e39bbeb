import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { badRequest } from "@coxswain/apimachinery/status";

/** A client must not reach through the server what only the server itself can. */
const refused = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 32],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["255.255.255.255", 32],
] as const)
  refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  refused.addSubnet(network, prefix, "ipv6");

export function isGlobalUnicast(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !refused.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Every address that a host has must be fit. @throws StatusError 400 */
export async function checkProxyable(hostname: string, mayProxyTo: (address: string) => boolean): Promise<void> {
  const addresses = await lookup(hostname, { all: true }).catch(() => {
    throw badRequest(`lookup ${hostname}: no such host`);
  });
  if (addresses.some(({ address }) => !mayProxyTo(address))) throw badRequest("address not allowed");
}
