import { isIP } from "node:net";
import { type HttpGetRequest, joinHostPort, urlOf } from "./http-get-request.js";

/** Where a response leads. `stay`: it is the last one. */
export type Redirect =
  | { readonly kind: "stay" }
  | { readonly kind: "follow"; readonly request: HttpGetRequest }
  | { readonly kind: "refuse"; readonly error: string };

const redirects = new Set([301, 302, 303, 307, 308]);
/** Go's default (net/http, defaultCheckRedirect), which upstream's RedirectChecker repeats. */
const mostRequests = 10;

/**
 * Pure: whether a response is followed, and by which request. Only the host that was asked first may be asked again: a pod must
 * not be able to send the kubelet elsewhere (pkg/probe/http/http.go, RedirectChecker).
 * @param sent how many requests were sent
 */
export function planRedirect(
  { status, location }: { readonly status: number; readonly location: string | undefined },
  { current, firstHost, sent }: { readonly current: HttpGetRequest; readonly firstHost: string; readonly sent: number },
): Redirect {
  if (!redirects.has(status) || !location) return { kind: "stay" };
  let url: URL;
  try {
    url = new URL(location, urlOf(current));
  } catch {
    return { kind: "refuse", error: `failed to parse Location header ${JSON.stringify(location)}` };
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host !== plainHost(firstHost)) return { kind: "stay" };
  if (sent >= mostRequests) return { kind: "refuse", error: `stopped after ${mostRequests} redirects` };
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== "http" && scheme !== "https")
    return { kind: "refuse", error: `unsupported protocol scheme ${JSON.stringify(scheme)}` };
  const port = Number(url.port) || (scheme === "https" ? 443 : 80);
  const isAbsolute = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(location);
  const headers = redirectHeaders(current, { keepsHost: !isAbsolute, host: url.host });
  return {
    kind: "follow",
    request: { scheme, host: firstHost, port, target: `${url.pathname}${url.search}`, headers },
  };
}

/** As a URL writes it. */
const plainHost = (host: string): string =>
  isIP(host) === 6 ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host.toLowerCase();

/** A Host that was asked for by a header is kept where the location names no host of its own. */
function redirectHeaders(
  { headers, host, port }: HttpGetRequest,
  next: { readonly keepsHost: boolean; readonly host: string },
): string[] {
  const changed = [...headers];
  for (let i = 0; i < changed.length; i += 2)
    if (changed[i] === "Host" && (!next.keepsHost || changed[i + 1] === joinHostPort(host, port)))
      changed[i + 1] = next.host;
  return changed;
}
