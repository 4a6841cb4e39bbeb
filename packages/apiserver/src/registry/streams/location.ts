import type { PeerCertificate } from "node:tls";
import type { UserInfo } from "../../request/user-info.js";

/** What TLS to another server needs, as PEM texts. */
export interface BackendTls {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  /** Whether a certificate of `ca` that is no authority is trusted, as Go trusts it. @default false */
  readonly allowPartialTrustChain?: boolean;
  /** False: the certificate is not verified. */
  readonly rejectUnauthorized: boolean;
  /** The name that the certificate must have. @default the location's */
  readonly servername?: string;
  /** @default as node checks names */
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
  /** The user that the certificate names, for connections inside the process, which have none. @default nobody */
  readonly insideUser?: UserInfo | undefined;
}

/** Where a request is handed on to. */
export interface Location {
  readonly scheme: "http" | "https";
  /** A name, or an address without brackets. */
  readonly hostname: string;
  /** "" where the scheme's own is meant. */
  readonly port: string;
  /** Not escaped; may be "". */
  readonly path: string;
  /** Escaped, without the question mark. */
  readonly query: string;
  readonly tls: BackendTls;
}

/** Pods and services prove nothing: nobody in the cluster signs certificates for them. */
export const trustingTls: BackendTls = { rejectUnauthorized: false };

const bracketed = (hostname: string): string => (hostname.includes(":") ? `[${hostname}]` : hostname);

/** As in a Host header. */
export const hostOf = ({ hostname, port }: Location): string =>
  port === "" ? bracketed(hostname) : `${bracketed(hostname)}:${port}`;

/** As Go dials it: with the port that the scheme means. */
export const dialAddress = ({ scheme, hostname, port }: Location): string =>
  `${bracketed(hostname)}:${port === "" ? (scheme === "https" ? "443" : "80") : port}`;

/** Path and query as they stand in a request's first line. */
export const targetOf = ({ path, query }: Location): string =>
  `${path === "" ? "/" : escapePath(path)}${query === "" ? "" : `?${query}`}`;

export const urlOf = (location: Location): string =>
  `${location.scheme}://${hostOf(location)}${location.path === "" ? "" : escapePath(location.path)}${location.query === "" ? "" : `?${location.query}`}`;

/** As Go escapes a path: of what encodeURIComponent escapes, these may stand as they are. */
export const escapePath = (path: string): string =>
  encodeURIComponent(path)
    .replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped))
    .replace(/[!'()*]/g, percent);

/** As Go's url.Values writes itself: sorted by name, values in their order. */
export function encodeQuery(values: readonly (readonly [name: string, value: string])[]): string {
  const sorted = values
    .map(([name, value]) => [name, value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([name, value]) => `${escapeQuery(name)}=${escapeQuery(value)}`).join("&");
}

const escapeQuery = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, percent)
    .replaceAll("%20", "+");

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
