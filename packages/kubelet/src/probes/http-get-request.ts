import type { HTTPGetAction } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedContainer } from "../objects/cached-pod.js";
import { requestTarget } from "./request-target.js";
import { resolvePort } from "./resolve-port.js";

/** A request of a probe or a hook. */
export interface HttpGetRequest {
  readonly scheme: "http" | "https";
  /** A name or an address, an IPv6 one without brackets. */
  readonly host: string;
  readonly port: number;
  /** As the request line has it. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** The version in the names that kubelets give themselves. */
const minor = "1.36";

/**
 * Pure: the request of an `httpGet` (pkg/probe/http/request.go, NewRequestForHTTPGetAction).
 * @throws Error where it names a port that is not there
 */
export function planHttpGet(
  httpGet: DeepReadonly<HTTPGetAction>,
  {
    container,
    podIP,
    purpose,
  }: { readonly container: CachedContainer; readonly podIP: string; readonly purpose: "probe" | "lifecycle" },
): HttpGetRequest {
  const scheme = httpGet.scheme?.toLowerCase() === "https" ? "https" : "http";
  const host = httpGet.host || podIP;
  const port = resolvePort(httpGet.port, container);
  return {
    scheme,
    host,
    port,
    target: requestTarget(httpGet.path ?? ""),
    headers: headersOf(httpGet.httpHeaders ?? [], { host: joinHostPort(host, port), purpose }),
  };
}

function headersOf(
  given: DeepReadonly<NonNullable<HTTPGetAction["httpHeaders"]>>,
  { host, purpose }: { readonly host: string; readonly purpose: string },
): string[] {
  const has = (wanted: string): boolean => given.some(({ name }) => name.toLowerCase() === wanted);
  const headers: string[] = [];
  const named = given.find(({ name }) => name.toLowerCase() === "host")?.value;
  headers.push("Host", named ? asBytes(named) : host);
  if (!has("user-agent")) headers.push("User-Agent", `kube-${purpose}/${minor}`);
  if (!has("accept")) headers.push("Accept", "*/*");
  const isEmptyAccept = given.find(({ name }) => name.toLowerCase() === "accept")?.value === "";
  for (const { name, value } of given) {
    const lower = name.toLowerCase();
    // An empty Accept asks for none at all, and so does an empty User-Agent.
    if (lower === "host" || (lower === "accept" && isEmptyAccept) || (lower === "user-agent" && value === "")) continue;
    headers.push(name, asBytes(value));
  }
  headers.push("Connection", "close");
  return headers;
}

/** Node takes bytes as Latin-1; Go sends UTF-8. */
const asBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** As Go's net.JoinHostPort. */
export const joinHostPort = (host: string, port: number): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;

/** The URL, as messages name it. */
export const urlOf = ({ scheme, host, port, target }: HttpGetRequest): string =>
  `${scheme}://${joinHostPort(host, port)}${target}`;
