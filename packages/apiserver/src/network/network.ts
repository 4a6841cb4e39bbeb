import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import type { InsideConnections, InsideDial, SimulatedNetwork } from "./simulated-network.js";

/**
 * What the server's connections to nodes, pods, services and webhooks go through. Where nodes are simulated in this process, their network
 * exists only here: the same addresses on the machine's own network are somebody else's (172.18.0.0/16 is where Docker puts containers),
 * so what nothing inside answers fails as a connection that is refused, and no socket is opened.
 */
export interface Network {
  readonly simulated: SimulatedNetwork | undefined;
  /** From now on these answer. @throws Error in a server that was started without a simulated network */
  useInside(connections: InsideConnections): void;
  /** Whether a name or an address belongs to the simulated network. */
  owns(hostname: string): boolean;
  /** Undefined: not of the simulated network, to be dialled by a socket. @throws Error with the code and address of a failed connect */
  connectInside(dial: InsideDial): Duplex | undefined;
  /** For sockets: fails for names that lead into the simulated network. */
  readonly lookup: LookupFunction;
}

/** The part of it that others in the process may use. */
export type InsideNetwork = Pick<Network, "owns" | "connectInside">;

export interface NetworkOptions {
  readonly simulated: SimulatedNetwork | undefined;
  /** The CIDRs of Services, now. */
  serviceCidrs(): Iterable<string>;
}

export function createNetwork({ simulated, serviceCidrs }: NetworkOptions): Network {
  const machines = rangesOf(simulated?.cidrs ?? []);
  let inside: InsideConnections | undefined;
  const owns = (hostname: string): boolean =>
    simulated !== undefined &&
    (inside?.owns(hostname) === true || contains(machines, hostname) || contains(rangesOf(serviceCidrs()), hostname));
  return {
    simulated,
    useInside(connections) {
      if (!simulated) throw new Error("the server was started without a simulated network");
      inside = connections;
    },
    owns,
    connectInside(dial) {
      if (!owns(dial.hostname)) return undefined;
      // kube-proxy rejects connections to a cluster IP that it has no endpoints for; here, nothing serves cluster IPs.
      if (!inside || contains(rangesOf(serviceCidrs()), dial.hostname))
        throw connectError("ECONNREFUSED", dial.hostname, dial.port);
      const made = inside.connect(dial);
      if (made.kind === "connected") return made.connection;
      throw connectError(made.code, made.address, dial.port);
    },
    lookup(hostname, options, callback) {
      systemLookup(hostname, options, (error, found, family) => {
        const addresses = error ? [] : typeof found === "string" ? [found] : found.map(({ address }) => address);
        const owned = addresses.find(owns);
        if (owned === undefined) callback(error, found, family);
        else callback(connectError("ECONNREFUSED", owned, undefined), found, family);
      });
    },
  };
}

/** As Node reports that a connect failed. */
export function connectError(code: string, address: string, port: number | undefined): NodeJS.ErrnoException {
  const where = port === undefined ? address : `${address}:${port}`;
  return Object.assign(new Error(`connect ${code} ${where}`), {
    code,
    syscall: "connect",
    address,
    ...(port !== undefined && { port }),
  });
}

function rangesOf(cidrs: Iterable<string>): BlockList {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [network = "", prefix] = cidr.split("/");
    const family = isIP(network);
    if (family !== 0) ranges.addSubnet(network, Number(prefix), family === 4 ? "ipv4" : "ipv6");
  }
  return ranges;
}

/** IPv4 addresses that are written as IPv6 addresses are found, too. */
function contains(ranges: BlockList, hostname: string): boolean {
  const family = isIP(hostname);
  return family !== 0 && ranges.check(hostname, family === 4 ? "ipv4" : "ipv6");
}
