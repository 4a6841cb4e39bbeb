import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from "node:http";
import { request as requestTls } from "node:https";
import { isIP, type Socket } from "node:net";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { Clock } from "@coxswain/runtime/clock";
import type { Network } from "../../network/network.js";
import type { BackendConnections } from "./backend-connections.js";
import { DialError, DialTimeout } from "./dial-error.js";
import { type BackendTls, hostOf, type Location, targetOf } from "./location.js";

export interface BackendCall {
  readonly location: Location;
  readonly method: string;
  /** With a Host of their own, or the location's is sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Readable | undefined;
  /** Ends the call, and what is left of its answer. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Where one may be waiting, and this one may wait. Not for a request with a body, which cannot be sent twice. @default a connection of its own */
  readonly connections?: BackendConnections;
  readonly network: Network;
}

export type BackendAnswer =
  | { readonly kind: "answered"; readonly response: IncomingMessage }
  /** It speaks another protocol from here on. `head`: what came right behind its answer. */
  | { readonly kind: "upgraded"; readonly response: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

/** As upstream's transport (k8s.io/client-go/transport/cache.go, Timeout): for the connection, TLS included. */
const dialTimeoutMs = 30_000;
const keepAliveMs = 30_000;

/** Asks another server. Resolves with the head of its answer. @throws DialError */
export function callBackend(call: BackendCall): Promise<BackendAnswer> {
  const { connections, ...alone } = call;
  if (!connections || call.body) return ask(alone, false);
  return ask(alone, connections.agentOf(call.location.scheme)).catch((err: unknown) => {
    if (err instanceof StaleConnection) return ask(alone, false);
    throw err;
  });
}

/** A connection that had waited was ended by the other side before it answered: nobody has read the request. */
class StaleConnection extends Error {}

function ask(call: BackendCall, agent: Agent | false): Promise<BackendAnswer> {
  const { location, signal } = call;
  return new Promise((resolve, reject) => {
    const inside = connectInside(call);
    const request = inside ? openInside(call, inside) : open(call, agent);
    if (!inside) limitDialing(request, location, call.clock);
    request.on("error", (err: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (err.code === "ECONNRESET" || err.code === "EPIPE");
      reject(isStale ? new StaleConnection("ended while it waited", { cause: err }) : new DialError(location, err));
    });
    const refuse = (why: string): void => {
      request.destroy();
      reject(new DialError(location, new Error(why)));
    };
    request.once("response", (response) => {
      if ((response.statusCode ?? 0) >= 200) resolve({ kind: "answered", response });
      else refuse(`malformed HTTP status code ${response.statusCode}`);
    });
    request.once("upgrade", (response, socket, head) => {
      // A client that asked for a page would take the 101 for an upgrade, and what follows for another protocol.
      if (!call.headers.some(([name]) => name.toLowerCase() === "upgrade")) {
        socket.destroy();
        return refuse("the server changes protocols, though nobody asked it to");
      }
      const abandon = (): void => void socket.destroy();
      signal.addEventListener("abort", abandon, { once: true });
      socket.once("close", () => signal.removeEventListener("abort", abandon));
      // Until its user listens, and after: a connection that fails is one that ends.
      socket.on("error", abandon);
      resolve({ kind: "upgraded", response, socket, head });
    });
    // A body that breaks off must not look complete.
    if (call.body) pipeline(call.body, request, (err) => void (err && request.destroy(err)));
    else request.end();
  });
}

function settingsOf({ location, method, headers, signal }: BackendCall): RequestOptions {
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  return {
    method,
    host: location.hostname,
    ...(location.port === "" ? {} : { port: location.port }),
    path: targetOf(location),
    // A list keeps repeated names apart and takes any name as it is.
    headers: [...(hasHost ? [] : ["Host", hostOf(location)]), ...headers.flat()] as unknown as string[],
    signal,
  };
}

/** The identity that a connection inside the process has is the one that the location's TLS would show. @throws DialError */
function connectInside({ location, network }: BackendCall): Duplex | undefined {
  const { hostname, scheme, tls } = location;
  const port = Number(location.port || (scheme === "https" ? 443 : 80));
  try {
    return network.connectInside({ hostname, port, scheme, user: tls.insideUser });
  } catch (err) {
    throw new DialError(location, err);
  }
}

const openInside = (call: BackendCall, connection: Duplex): ClientRequest =>
  requestPlain({ ...settingsOf(call), createConnection: () => connection });

function open(call: BackendCall, agent: Agent | false): ClientRequest {
  const { location } = call;
  const settings: RequestOptions = { ...settingsOf(call), agent, lookup: call.network.lookup };
  if (location.scheme === "http") return requestPlain(settings);
  // Set explicitly: node would take the name from the Host header, which is the client's.
  const servername = location.tls.servername ?? (isIP(location.hostname) === 0 ? location.hostname : "");
  const secureContext = secureContextOf(location.tls);
  return requestTls(Object.assign(settings, location.tls, { servername, secureContext }));
}

const contexts = new WeakMap<BackendTls, SecureContext>();

/** Reading keys and certificates takes milliseconds, and one check of an aggregated server makes five connections. */
function secureContextOf(tls: BackendTls): SecureContext {
  let context = contexts.get(tls);
  if (!context) contexts.set(tls, (context = createSecureContext(tls)));
  return context;
}

function limitDialing(request: ClientRequest, { scheme }: Location, clock: Clock): void {
  const timer = clock.setTimer(dialTimeoutMs, () => request.destroy(new DialTimeout("the connection took too long")));
  request.once("socket", (socket: Socket | TLSSocket) => {
    if (request.reusedSocket) return timer.cancel();
    socket.setKeepAlive(true, keepAliveMs);
    socket.setNoDelay(true);
    socket.once(scheme === "https" ? "secureConnect" : "connect", () => timer.cancel());
  });
  request.once("close", () => timer.cancel());
}
