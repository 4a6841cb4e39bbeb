import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectSpdy, type SpdyConnection } from "@coxswain/wire/spdy";
import { UpgradeRefused } from "@coxswain/wire/upgrade";
import { connectWebSocket, type WebSocketConnection } from "@coxswain/wire/websocket";
import { encodeQuery } from "../../transport/query.js";
import { responseError } from "../../transport/response-error.js";
import { TransportError } from "../../transport/transport-error.js";
import type { DedicatedConnection, NodeTransport } from "../http/index.js";

/** A request that is to become a connection of another protocol. */
export interface StreamRequest {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Subprotocols in order of preference. */
  readonly protocols: readonly string[];
  /** Beside those of the transport: whom to impersonate. @default none */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly signal?: AbortSignal | undefined;
}

/** The server speaks no WebSocket here: an old one, or a proxy that does not know the protocol. Try SPDY. */
export class NoWebSocket extends Error {}

/** @throws NoWebSocket, StatusError, TransportError */
export async function openWebSocket(transport: NodeTransport, request: StreamRequest): Promise<WebSocketConnection> {
  const dedicated = await transport.openDedicated(request.signal);
  try {
    return await connectWebSocket({
      ...settingsOf(dedicated, request),
      protocols: request.protocols,
      random: systemRandom,
      clock: systemClock,
    });
  } catch (error) {
    dedicated.socket.destroy();
    throw refusalOf(error, "GET", request, () => new NoWebSocket("the server accepts no WebSocket", { cause: error }));
  }
}

/** @throws StatusError, TransportError */
export async function openSpdy(
  transport: NodeTransport,
  request: StreamRequest,
): Promise<{ connection: SpdyConnection; protocol: string }> {
  const dedicated = await transport.openDedicated(request.signal);
  try {
    const settings = settingsOf(dedicated, request);
    const { connection, headers } = await connectSpdy({
      ...settings,
      method: "POST",
      headers: { ...settings.headers, "X-Stream-Protocol-Version": [...request.protocols] },
    });
    const protocol = headers["x-stream-protocol-version"];
    return { connection, protocol: typeof protocol === "string" ? protocol : (protocol?.[0] ?? "") };
  } catch (error) {
    dedicated.socket.destroy();
    throw refusalOf(error, "POST", request);
  }
}

function settingsOf({ socket, address, headers }: DedicatedConnection, request: StreamRequest) {
  const { path, query, signal } = request;
  const lines: Record<string, string[]> = {};
  for (const [name, value] of [...headers, ...(request.headers ?? [])]) (lines[name] ??= []).push(value);
  const search = encodeQuery(query);
  return {
    url: `${address.secure ? "https" : "http"}://${address.authority}${address.basePath}${path}${search === "" ? "" : `?${search}`}`,
    socket,
    headers: Object.fromEntries(
      Object.entries(lines).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ),
    ...(signal && { signal }),
  };
}

/** The answer of a server that refuses an upgrade is an answer like any other. */
function refusalOf(error: unknown, method: string, { path, signal }: StreamRequest, unknown?: () => Error): unknown {
  if (signal?.aborted) return signal.reason;
  if (!(error instanceof UpgradeRefused)) return new TransportError("lost", (error as Error).message, { cause: error });
  // A Status is the API's own no; anything else comes from somebody who did not understand the question.
  const isStatus = error.body.subarray(0, 4096).includes('"Status"');
  if (unknown !== undefined && !isStatus && error.status !== 401 && error.status !== 403 && error.status !== 404)
    return unknown();
  return responseError({
    method,
    path,
    status: error.status,
    header(name) {
      const value = error.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: error.body,
  });
}
