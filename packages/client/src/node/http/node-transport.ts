import type { Duplex } from "node:stream";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { type Impersonation, impersonationHeaders } from "../../rest/impersonation.js";
import { encodeBody } from "../../transport/json-body.js";
import { requestTarget } from "../../transport/query.js";
import { limitRequest } from "../../transport/request-limit.js";
import { responseError } from "../../transport/response-error.js";
import type { Transport, TransportRequest } from "../../transport/transport.js";
import { isTransportError, TransportError } from "../../transport/transport-error.js";
import type { WatchStream } from "../../transport/watch-event.js";
import { watchBytes } from "../../watch/watch-bytes.js";
import { anonymous, type Identity, type IdentitySource } from "../auth/identity.js";
import { type ConnectionPool, createConnectionPool } from "./connection-pool.js";
import type { Exchange, OutgoingRequest } from "./exchange.js";
import { NodeResponse } from "./node-response.js";
import { parseProxy, proxyFromEnvironment } from "./proxy.js";
import { parseServer, type ServerAddress } from "./server-address.js";
import type { TlsMaterial } from "./tls-material.js";
import { unlessAborted } from "./unless-aborted.js";

export interface NodeTransportOptions {
  /** "https://host:6443", with a path in front of the API's where a proxy has one. */
  readonly server: string;
  /** Authorities and server name; asked for before each request, so that a rotated file counts. @default the system's authorities */
  readonly tls?: () => TlsMaterial | Promise<TlsMaterial>;
  /** @default anonymous */
  readonly identity?: IdentitySource;
  readonly impersonate?: Impersonation | undefined;
  /** A URL; "" for none. @default from HTTPS_PROXY, HTTP_PROXY and NO_PROXY */
  readonly proxyUrl?: string | undefined;
  /** @default false: answers may be compressed */
  readonly disableCompression?: boolean | undefined;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** For TCP, proxy and TLS together. @default 30 s */
  readonly connectTimeoutMs?: number;
  /** Silence on a connection with open requests after which it is pinged. @default 30 s */
  readonly readIdleMs?: number;
  /** @default 15 s */
  readonly pingTimeoutMs?: number;
  /** Sockets live by its `ioClock`. @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** A way to a cluster over sockets; also opens the connections of exec and its kin. */
export interface NodeTransport extends Transport {
  /** A connection of HTTP/1.1 of its own, with the headers that a request over it needs. */
  openDedicated(signal?: AbortSignal): Promise<DedicatedConnection>;
}

export interface DedicatedConnection {
  readonly socket: Duplex;
  readonly address: ServerAddress;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request that the server has certainly not seen is sent again on another connection, this often. */
const resends = 3;

/** An empty address: no proxy, whatever the environment has. */
const proxyOf = (url: string) => (url === "" ? undefined : parseProxy(url));

export function createNodeTransport(options: NodeTransportOptions): NodeTransport {
  const { identity = anonymous, tls = () => ({}), environment = process.env, disableCompression = false } = options;
  const { ioClock: clock } = options.runtime ?? systemRuntime();
  const address = parseServer(options.server);
  const proxy = options.proxyUrl === undefined ? proxyFromEnvironment(address, environment) : proxyOf(options.proxyUrl);
  const { connectTimeoutMs, readIdleMs, pingTimeoutMs } = options;
  const pool = createConnectionPool({ address, proxy, clock, connectTimeoutMs, readIdleMs, pingTimeoutMs });
  const impersonation = options.impersonate ? impersonationHeaders(options.impersonate) : [];
  const way: ServerWay = { address, pool, identity, tls, impersonation, closed: false };
  const underWay = new Set<Promise<void>>();

  const track = (work: Promise<void>): void => {
    underWay.add(work);
    void work.then(() => underWay.delete(work));
  };

  return {
    async send(request) {
      let over: () => void = () => {};
      track(new Promise<void>((resolve) => (over = resolve)));
      const limit = limitRequest(request, clock, over);
      try {
        return new NodeResponse(await exchange(way, request, limit.signal, disableCompression), limit.release);
      } catch (error) {
        limit.release();
        throw error;
      }
    },
    async watch(request) {
      const limit = limitRequest(request, clock);
      try {
        // Events would wait inside the compression of a proxy.
        const answer = await exchange(way, request, limit.signal, true);
        const stream = await readWatch(request, answer, limit);
        limit.endTimer();
        return stream;
      } catch (error) {
        limit.release();
        throw error;
      }
    },
    async openDedicated(signal) {
      const user = await identify(way, signal);
      const socket = await pool.dedicated(await materialFor(way, user, signal));
      return { socket, address, headers: [...Object.entries(user.headers), ...impersonation] };
    },
    async close() {
      way.closed = true;
      await Promise.all(underWay);
      pool.drain();
    },
  };
}

function outgoingOf(request: TransportRequest, address: ServerAddress, plain: boolean): OutgoingRequest {
  const body = request.body && encodeBody(request.body);
  const headers: [string, string][] = [];
  if (request.headers?.["accept"] === undefined) headers.push(["accept", "application/json"]);
  if (!plain) headers.push(["accept-encoding", "gzip"]);
  if (body) headers.push(["content-type", body.contentType]);
  for (const entry of Object.entries(request.headers ?? {})) headers.push(entry);
  return {
    method: request.method,
    target: `${address.basePath}${requestTarget(request)}`,
    headers,
    body: body?.bytes,
  };
}

async function readWatch(
  request: TransportRequest,
  exchange: Exchange,
  { signal, release }: { signal: AbortSignal; release(): void },
): Promise<WatchStream> {
  if (exchange.status !== 200) {
    throw responseError({
      method: request.method,
      path: request.path,
      status: exchange.status,
      header: (name) => exchange.header(name),
      body: await new NodeResponse(exchange, () => {}).bytes(),
    });
  }
  const { stream, sink } = watchBytes(exchange.body, { signal, onOver: release });
  exchange.body.listen(sink);
  return stream;
}

/** How the server is reached, and in whose name. */
interface ServerWay {
  readonly address: ServerAddress;
  readonly pool: ConnectionPool;
  readonly identity: IdentitySource;
  readonly tls: NonNullable<NodeTransportOptions["tls"]>;
  readonly impersonation: readonly (readonly [name: string, value: string])[];
  closed: boolean;
}

/** Files that cannot be read and programs that fail keep a request from being sent, as a dead server does. */
async function prepare<T>(what: string, work: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await unlessAborted((async () => work())(), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new TransportError("connect", `${what}: ${(cause as Error).message}`, { cause });
  }
}

const identify = ({ identity }: ServerWay, signal: AbortSignal | undefined): Promise<Identity> =>
  prepare("no credentials", () => identity.current(signal), signal);

async function materialFor(
  { tls }: ServerWay,
  { certificate }: Identity,
  signal: AbortSignal | undefined,
): Promise<TlsMaterial> {
  const material = await prepare("no certificate authority", tls, signal);
  return certificate === undefined ? material : { ...material, ...certificate };
}

/** Where renewing fails the server's 401 is the better answer. */
const renewed = ({ identity }: ServerWay, used: Identity): Promise<boolean> =>
  identity.renew === undefined ? Promise.resolve(false) : identity.renew(used).catch(() => false);

async function exchangeAs(
  way: ServerWay,
  user: Identity,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  const material = await materialFor(way, user, signal);
  const request = {
    ...outgoing,
    headers: [...outgoing.headers, ...Object.entries(user.headers), ...way.impersonation],
  };
  for (let left = resends; ; left--) {
    try {
      return await way.pool.exchange(material, request, signal);
    } catch (error) {
      if (left === 0 || !isTransportError(error) || error.kind !== "lost" || !error.neverSent) throw error;
    }
  }
}

/** With a renewed identity once more, where the server does not know this one. */
async function exchange(
  way: ServerWay,
  request: TransportRequest,
  signal: AbortSignal,
  plain: boolean,
): Promise<Exchange> {
  if (way.closed) throw new TransportError("connect", "the transport is closed");
  const outgoing = outgoingOf(request, way.address, plain);
  const user = await identify(way, signal);
  const answer = await exchangeAs(way, user, outgoing, signal);
  if (answer.status !== 401 || !(await renewed(way, user))) return answer;
  answer.body.cancel();
  return exchangeAs(way, await identify(way, signal), outgoing, signal);
}
