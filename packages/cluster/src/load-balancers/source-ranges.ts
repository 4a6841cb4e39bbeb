import { BlockList, isIP } from "node:net";

/** Whether a client may connect: `loadBalancerSourceRanges`. */
export function createSourceFilter(ranges: readonly string[]): (client: string) => boolean {
  if (ranges.length === 0) return () => true;
  const allowed = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.trim().split("/");
    const family = isIP(network);
    if (family !== 0) allowed.addSubnet(network, Number(bits), family === 4 ? "ipv4" : "ipv6");
  }
  return (client) => isIP(client) !== 0 && allowed.check(client, isIP(client) === 4 ? "ipv4" : "ipv6");
}
