import { isIP } from "node:net";
import { trimEndOf } from "@coxswain/apimachinery/text";

/** Where an API server is. */
export interface ServerAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** `host` or `host:port`, as requests name it. */
  readonly authority: string;
  /** In front of every path: "" or "/k8s/clusters/c-1". */
  readonly basePath: string;
  /** A Unix socket of this machine in place of host and port. HTTP/2 without TLS: both sides know it (RFC 9113, section 3.3). */
  readonly socketPath?: string;
}

const unixScheme = "unix://";

/**
 * `https://host:6443`, `http://…`, or without a scheme as client-go reads it: http, unless the port is 443. `unix:///path` is as in gRPC's
 * naming. @throws TypeError
 */
export function parseServer(server: string): ServerAddress {
  if (server.startsWith(unixScheme)) return unixAddress(server.slice(unixScheme.length));
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server)
    ? server
    : `${/:443(\/|$)/.test(server) ? "https" : "http"}://${server}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`${JSON.stringify(server)} is no server address: write https://host:port`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError(`${JSON.stringify(server)} is no server address: its scheme must be https or http`);
  const secure = url.protocol === "https:";
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    authority: url.host,
    basePath: trimEndOf(url.pathname, "/"),
  };
}

const unixAddress = (socketPath: string): ServerAddress => ({
  secure: false,
  host: "localhost",
  port: 0,
  authority: "localhost",
  basePath: "",
  socketPath,
});

/** The name to send in the handshake (SNI); an address is none. */
export const serverNameOf = (host: string): string | undefined => (isIP(host) === 0 ? host : undefined);
