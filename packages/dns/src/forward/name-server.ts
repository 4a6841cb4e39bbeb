import { isIP } from "node:net";

/** Another DNS server. */
export interface NameServer {
  readonly host: string;
  readonly port: number;
}

/** How many servers are used at most, as CoreDNS's `forward`. */
export const maxNameServers = 15;

/** `10.0.0.1`, `10.0.0.1:5353`, `fd00::1`, `[fd00::1]:5353`; undefined for anything else: names would have to be resolved first. */
export function parseNameServer(text: string): NameServer | undefined {
  if (isIP(text)) return { host: text, port: 53 };
  const [, four, six, digits = ""] = /^(?:([\d.]+)|\[([^\]]+)\]):(\d{1,5})$/.exec(text) ?? [];
  const host = four ?? six ?? "";
  const port = Number(digits);
  return isIP(host) && port > 0 && port < 65_536 ? { host, port } : undefined;
}

/** The servers of a resolv.conf(5), in order. */
export function readResolvConf(text: string): NameServer[] {
  const servers = text.split("\n").flatMap((line) => {
    const [keyword, address = ""] = line.trim().split(/\s+/, 2);
    return keyword === "nameserver" ? (parseNameServer(address) ?? []) : [];
  });
  return servers.slice(0, maxNameServers);
}

export const nameServerText = ({ host, port }: NameServer): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
