import { BlockList, isIPv4 } from "node:net";
import { connectError, type InsideConnections, type InsideNetwork } from "@coxswain/apiserver";

/** The simulated network where the nodes are and the API server is not: for programs in simulated containers. No socket is opened to its addresses. */
export function insideNetwork(connections: () => InsideConnections, serviceCidrs: readonly string[]): InsideNetwork {
  const services = new BlockList();
  for (const cidr of serviceCidrs) {
    const [network = "", prefix] = cidr.split("/");
    services.addSubnet(network, Number(prefix), isIPv4(network) ? "ipv4" : "ipv6");
  }
  const isService = (hostname: string): boolean => services.check(hostname, isIPv4(hostname) ? "ipv4" : "ipv6");
  const owns = (hostname: string): boolean => connections().owns(hostname) || isService(hostname);
  return {
    owns,
    connectInside(dial) {
      if (!owns(dial.hostname)) return undefined;
      const made = connections().connect(dial);
      if (made.kind === "connected") return made.connection;
      throw connectError(made.code, made.address, dial.port);
    },
  };
}
