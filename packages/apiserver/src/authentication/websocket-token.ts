import type { ApiRequest } from "../request/request.js";

const prefix = "base64url.bearer.authorization.k8s.io.";

/**
 * The token that stands among the protocols of a WebSocket request, for browsers, which cannot set headers. What is wrong with it is an
 * error: such a client wanted to be known.
 */
export function webSocketToken(
  request: ApiRequest,
): { readonly token: string } | { readonly error: string } | undefined {
  if (!isWebSocketRequest(request)) return undefined;
  const protocols = (request.header("sec-websocket-protocol") ?? "").split(",").map((protocol) => protocol.trim());
  const tokens = protocols.filter((protocol) => protocol.startsWith(prefix));
  const [found] = tokens;
  if (found === undefined) return undefined;
  if (tokens.length > 1) return { error: "multiple base64.bearer.authorization tokens specified" };
  const encoded = found.slice(prefix.length);
  if (!/^[\w-]*$/.test(encoded) || encoded.length % 4 === 1)
    return { error: "invalid base64.bearer.authorization token encoding" };
  try {
    const token = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64url"));
    if (token === "") return undefined;
    return protocols.length === 1 ? { error: "missing additional subprotocol" } : { token };
  } catch {
    return { error: "invalid base64.bearer.authorization token" };
  }
}

const isWebSocketRequest = (request: ApiRequest): boolean =>
  (request.header("upgrade") ?? "").toLowerCase() === "websocket" &&
  (request.header("connection") ?? "")
    .toLowerCase()
    .split(",")
    .some((option) => option.trim() === "upgrade");
