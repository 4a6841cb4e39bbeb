import { posix } from "node:path";

/** Where a page is seen from: links that lead back to its own server must lead through the proxy instead. */
export interface ProxyView {
  /** The path of the proxy itself: what stands before the page's own. */
  readonly prefix: string;
  /** The server that the page came from, as host and port. */
  readonly sourceHost: string;
  /** The Host header that the client sent. */
  readonly requestHost: string;
}

const urlParts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

/** Relative links and those to other servers stay as they are. */
export function rewriteUrl(url: string, { prefix, sourceHost, requestHost }: ProxyView): string {
  const [, scheme, host = "", path = "", rest = ""] = urlParts.exec(url) ?? [];
  if ((host !== "" && host !== sourceHost && host !== requestHost) || !path.startsWith("/")) return url;
  const origin = host !== "" && host === requestHost ? `${scheme === undefined ? "" : `${scheme}:`}//${host}` : "";
  return `${origin}${path.startsWith(prefix) ? path : joinPaths(prefix, path)}${rest}`;
}

/** Cleans both; a slash at the end stays. */
export const joinPaths = (a: string, b: string): string => (a === "" && b === "" ? "" : posix.join(a, b));
