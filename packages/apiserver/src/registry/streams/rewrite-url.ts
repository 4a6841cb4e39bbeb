import { posix } from "node:path";
import { escapePath } from "./location.js";

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

/** What may stand in a path as it is. */
const escapedPath = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/]|%[0-9A-Fa-f]{2})*$/;

/** Relative links and those to other servers stay what they are. All of them are escaped, and so cannot be read as anything but links. */
export function rewriteUrl(url: string, { prefix, sourceHost, requestHost }: ProxyView): string {
  const [, scheme, host, path = "", rest = ""] = urlParts.exec(url) ?? [];
  const plain = decoded(path);
  if (plain === undefined) return url;
  const own = escapedPath.test(path) ? path : escapePath(plain);
  const origin = `${scheme === undefined ? "" : `${scheme}:`}${host === undefined ? "" : `//${host}`}`;
  if ((host && host !== sourceHost && host !== requestHost) || !path.startsWith("/")) return `${origin}${own}${rest}`;
  return `${host && host === requestHost ? origin : ""}${plain.startsWith(prefix) ? own : escapePath(joinPaths(prefix, plain))}${rest}`;
}

/** Undefined: its meaning is unknown. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Cleans both; a slash at the end stays. */
export const joinPaths = (a: string, b: string): string => (a === "" && b === "" ? "" : posix.join(a, b));
