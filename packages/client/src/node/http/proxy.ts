import type { ServerAddress } from "./server-address.js";

/** An HTTP proxy that tunnels by CONNECT, or a SOCKS 5 proxy. */
export interface Proxy {
  readonly kind: "http" | "https" | "socks5";
  readonly url: URL;
}

/** `http://user:password@host:3128`, `https://…`, `socks5://…`; a host alone is an http proxy. @throws TypeError */
export function parseProxy(text: string): Proxy {
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    throw new TypeError(`${JSON.stringify(text)} is no URL of a proxy`);
  }
  const kind = url.protocol.replace(/:$/, "").replace(/^socks5h$/, "socks5");
  if (kind !== "http" && kind !== "https" && kind !== "socks5")
    throw new TypeError(`unsupported scheme ${JSON.stringify(kind)}, must be http, https, or socks5`);
  return { kind, url };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** HTTPS_PROXY or HTTP_PROXY by the server's scheme, unless NO_PROXY excludes it; in capitals or not, as Go reads them. */
export function proxyFromEnvironment(address: ServerAddress, environment: Environment): Proxy | undefined {
  const read = (name: string): string | undefined => environment[name] || environment[name.toLowerCase()] || undefined;
  const url = read(address.secure ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (url === undefined || isExcluded(address, read("NO_PROXY") ?? "")) return undefined;
  return parseProxy(url);
}

/**
 * NO_PROXY as Go reads it: "*"; addresses and CIDRs; names that match themselves and what is below them, or with a leading
 * dot only what is below; each with a port or without. Loopback never goes through a proxy.
 */
function isExcluded({ host, port }: ServerAddress, noProxy: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || isLoopback(host)) return true;
  const name = host.toLowerCase();
  return noProxy
    .split(",")
    .map((rule) => rule.trim().toLowerCase())
    .filter((rule) => rule !== "")
    .some((rule) => {
      if (rule === "*") return true;
      if (rule.includes("/")) return inCidr(name, rule);
      const [, pattern = "", wanted] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/.exec(rule) ?? [];
      if (wanted !== undefined && Number(wanted) !== port) return false;
      const bare = pattern.replace(/^\[|\]$/g, "").replace(/^\*\./, ".");
      return bare.startsWith(".") ? name.endsWith(bare) : name === bare || name.endsWith(`.${bare}`);
    });
}

const isLoopback = (host: string): boolean => host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

function inCidr(host: string, cidr: string): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  const address = ipv4(host);
  const base = ipv4(network);
  const length = Number(bits);
  if (address === undefined || base === undefined || !(length >= 0 && length <= 32)) return false;
  const size = 2 ** (32 - length);
  return Math.floor(address / size) === Math.floor(base / size);
}

function ipv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
