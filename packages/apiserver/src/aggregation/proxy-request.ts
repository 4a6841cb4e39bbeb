import { Readable } from "node:stream";
import { stringifyJson } from "@coxswain/apimachinery/json";
import { isStatusError } from "@coxswain/apimachinery/status";
import { textAnswer } from "../endpoints/router-errors.js";
import { untilStopped } from "../endpoints/until-stopped.js";
import type { BackendConnections } from "../registry/streams/backend-connections.js";
import { callBackend } from "../registry/streams/call-backend.js";
import type { Streams } from "../registry/streams/create-streams.js";
import { DialError } from "../registry/streams/dial-error.js";
import { answerHeaders, forwardedHeaders, withoutCors } from "../registry/streams/forwarded-headers.js";
import { handOnUpgrade } from "../registry/streams/hand-on-upgrade.js";
import { escapePath, hostOf, type Location } from "../registry/streams/location.js";
import type { Answer } from "../request/answer.js";
import { asksForUpgrade } from "../request/client-websocket.js";
import { type ApiRequest, roomForAll } from "../request/request.js";
import type { RequestContext } from "../request/request-context.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { type Backend, locate } from "./backend.js";
import { proxyUserHeaders } from "./proxy-user.js";

export interface ProxyDeps {
  readonly resolver: ServiceResolver;
  readonly streams: Streams;
  readonly connections: BackendConnections;
  /** Of a body that comes from this process. */
  readonly maxBodyBytes: number;
  /** Whether a redirect of the backend is an error of its (`--aggregator-reject-forwarding-redirect`). */
  readonly rejectsRedirects: boolean;
  /** Whether backends receive the user's UID (RemoteRequestHeaderUID). */
  readonly sendsUid: boolean;
  /** Called for requests that this server ends before a backend has them. */
  onTerminated(context: RequestContext, code: number): void;
}

/** Discovery is cheap to answer and everybody waits for it: as upstream (k8s.io/kube-aggregator/pkg/apiserver/handler_discovery.go, fetchFreshDiscoveryForService), so long and no longer. */
const discoveryTimeoutMs = 5000;

/**
 * Hands a request on to the server behind an APIService, body and answer as they come. The backend gets the user in headers
 * that count with this server's certificate; the credentials the user came with stay here. Redirects are not followed.
 */
export async function proxyRequest(deps: ProxyDeps, backend: Backend, context: RequestContext): Promise<Answer> {
  const refuse = (code: number, text: string): Answer => {
    deps.onTerminated(context, code);
    return textAnswer(code, `${text}\n`);
  };
  if (!backend.isAvailable) return refuse(503, "service unavailable");
  if (backend.problem !== undefined) return refuse(500, backend.problem);
  const { request, info } = context;
  let location: Location;
  try {
    location = await locate(deps.resolver, backend, { path: info.path, query: request.query });
  } catch {
    return refuse(503, "service unavailable"); // as upstream (k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go, ServeHTTP): why is for the log and the condition, not for every client
  }
  try {
    return asksForUpgrade(request) && request.wire?.upgrade
      ? await handOnUpgrade(deps, context, location, headersFor(deps, context, location, "upgrade"))
      : await forward(deps, context, location);
  } catch (err) {
    if (err instanceof DialError) return textAnswer(503, `error trying to reach service: ${err.message}\n`);
    if (isStatusError(err)) return textAnswer(503, `${err.status.message ?? ""}\n`);
    throw err;
  }
}

async function forward(deps: ProxyDeps, context: RequestContext, location: Location): Promise<Answer> {
  const { request } = context;
  const { connections } = deps;
  const { ioClock: clock } = deps.streams.runtime;
  const late = new AbortController();
  const timer = isDiscovery(context) ? clock.setTimer(discoveryTimeoutMs, () => late.abort()) : undefined;
  const { headers, body } = await bodyOf(request, headersFor(deps, context, location, "message"), deps.maxBodyBytes);
  const ending = untilStopped(deps, context);
  try {
    const { response } = await callBackend({
      location,
      method: request.method,
      headers,
      body,
      signal: timer ? AbortSignal.any([ending, late.signal]) : ending,
      clock,
      connections,
      network: deps.streams.network,
    });
    const code = response.statusCode ?? 502;
    if (deps.rejectsRedirects && code >= 300 && code <= 399 && (response.headers.location ?? "") !== "") {
      response.destroy();
      return redirectRefused;
    }
    const hasBody = code !== 204 && code !== 304;
    if (!hasBody) response.resume();
    return {
      as: "stream",
      code,
      headers: withoutCors(answerHeaders(response.headersDistinct)),
      body: hasBody ? response : undefined,
    };
  } catch (err) {
    if (late.signal.aborted) return textAnswer(503, "error trying to reach service: context deadline exceeded\n");
    throw err;
  } finally {
    timer?.cancel();
  }
}

/** `/apis/<group>/<version>`. */
const isDiscovery = ({ info }: RequestContext): boolean =>
  !info.isResource && info.path.split("/").filter((part) => part !== "").length === 3;

/** A client that followed it would send its credentials to an address that the backend chose. */
const redirectRefused: Answer = {
  as: "document",
  code: 502,
  contentType: "text/plain; charset=utf-8",
  bytes: new TextEncoder().encode("the backend attempted to redirect this request, which is not permitted"),
};

/** What the client sent without what was for this server alone: its credentials, and names that it may have made up. */
function headersFor(
  { sendsUid }: ProxyDeps,
  { request, user, auditId }: RequestContext,
  location: Location,
  mode: "message" | "upgrade",
): [string, string][] {
  const ours = new Set(["host", "audit-id", "x-forwarded-uri", "x-forwarded-host", "x-forwarded-proto"]);
  const { uid: _uid, ...withoutUid } = user;
  return [
    ...forwardedHeaders(request, mode).filter(([name]) => !ours.has(name.toLowerCase())),
    ["Audit-Id", auditId],
    ["X-Forwarded-Uri", escapePath(location.path)],
    ["X-Forwarded-Host", hostOf(location)],
    ["X-Forwarded-Proto", location.scheme],
    ...proxyUserHeaders(sendsUid ? user : withoutUid),
  ];
}

interface SentBody {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Readable | undefined;
}

/** The body as it comes; one of the same process as it would be sent. */
async function bodyOf(request: ApiRequest, headers: [string, string][], maxBytes: number): Promise<SentBody> {
  const { wire, body } = request;
  if (wire) return { headers, body: wire.hasBody ? wire.openBody() : undefined };
  const bytes =
    body.as === "bytes" ? await body.read(maxBytes, roomForAll) : new TextEncoder().encode(stringifyJson(body.value));
  if (bytes.length === 0) return { headers, body: undefined };
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return {
    headers: [
      ...headers,
      ["Content-Length", String(bytes.length)],
      ...(isTyped ? [] : [["Content-Type", "application/json"] as const]),
    ],
    body: Readable.from([bytes], { objectMode: false }),
  };
}
