import { createHash } from "node:crypto";
import type { Runtime } from "@coxswain/runtime";
import { acceptUpgrade, refuseUpgrade } from "@coxswain/wire/upgrade";
import { createWebSocket, type WebSocketConnection } from "@coxswain/wire/websocket";
import type { ApiRequest } from "./request.js";

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

/** Whether the client asks to change protocols at all, to whichever. */
export const asksForUpgrade = (request: ApiRequest): boolean =>
  (request.header("connection") ?? "").toLowerCase().includes("upgrade");

export const isWebSocketRequest = (request: ApiRequest): boolean =>
  request.wire?.upgrade !== undefined &&
  asksForUpgrade(request) &&
  (request.header("upgrade") ?? "").toLowerCase() === "websocket";

/** What the client would speak, in its order. A token among them was for authentication. */
export const requestedProtocols = (request: ApiRequest): string[] =>
  (request.header("sec-websocket-protocol") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith(tokenProtocol));

export interface AcceptOptions {
  /** Chooses among what the client would speak; undefined: nothing fits. "" means none. */
  choose(requested: readonly string[]): string | undefined;
  /** The answer to a client that offers no supported protocol. @default 403 */
  unfit?: number;
  /** Whether a client must send an Origin header. @default false */
  needsOrigin?: boolean;
}

/** Answers the handshake, as upstream's library does (golang.org/x/net/websocket/hybi.go, ReadHandshake): undefined where it was refused, which is answered already. */
export function acceptClient(
  request: ApiRequest,
  options: AcceptOptions,
  { runtime: { ioClock: clock, random } }: { readonly runtime: Runtime },
): WebSocketConnection | undefined {
  const taken = request.wire?.upgrade?.();
  if (!taken) throw new Error("the request does not ask for another protocol");
  const { socket, head } = taken;
  const key = request.header("sec-websocket-key") ?? "";
  if (request.method !== "GET") return void refuseUpgrade(socket, 405, "bad method");
  if (key === "") return void refuseUpgrade(socket, 400, "mismatch challenge/response");
  if (request.header("sec-websocket-version") !== "13")
    return void refuseUpgrade(socket, 400, "missing or bad WebSocket Version", { "Sec-WebSocket-Version": "13" });
  const requested = requestedProtocols(request);
  const protocol = options.choose(requested);
  if (options.needsOrigin === true && (request.header("origin") ?? "") === "")
    return void refuseUpgrade(socket, 403, "");
  if (protocol === undefined) return void refuseUpgrade(socket, options.unfit ?? 403, "");
  const answer = createHash("sha1")
    .update(key + magic)
    .digest("base64");
  acceptUpgrade(socket, "websocket", {
    "Sec-WebSocket-Accept": answer,
    "Sec-WebSocket-Protocol": protocol === "" ? undefined : protocol,
  });
  return createWebSocket(socket, { role: "server", protocol, head, clock, random });
}

/** The first that is offered by both; a client that names none speaks "". */
export const firstOf =
  (supported: readonly string[]) =>
  (requested: readonly string[]): string | undefined =>
    (requested.length > 0 ? requested : [""]).find((name) => supported.includes(name));
