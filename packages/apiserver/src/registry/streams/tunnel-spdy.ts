import { tunnelThrough } from "@coxswain/wire/websocket";
import { untilStopped } from "../../endpoints/until-stopped.js";
import type { Answer } from "../../request/answer.js";
import { acceptClient, requestedProtocols } from "../../request/client-websocket.js";
import type { ApiRequest } from "../../request/request.js";
import type { RequestContext } from "../../request/request-context.js";
import { callBackend } from "./call-backend.js";
import { forwardedHeaders } from "./forwarded-headers.js";
import { dial, refused } from "./hand-on-upgrade.js";
import type { Location } from "./location.js";
import { plainFailure } from "./node-connection.js";
import { splice } from "./splice.js";
import type { StreamDeps } from "./stream-deps.js";

const prefix = "SPDY/3.1+";
const webSocketHeaders = new Set([
  "upgrade",
  "content-length",
  "sec-websocket-protocol",
  "sec-websocket-key",
  "sec-websocket-version",
  "sec-websocket-extensions",
  "x-stream-protocol-version",
]);

/** What a client would speak over SPDY inside a WebSocket. */
export const tunnelledProtocols = (request: ApiRequest): string[] =>
  requestedProtocols(request).flatMap((name) =>
    name.startsWith(prefix) && name.endsWith(".k8s.io") ? [name.slice(prefix.length)] : [],
  );

/** Speaks SPDY to the kubelet with the bytes that the client sends in WebSocket messages. The kubelet is asked first: what it refuses, the client sees. */
export async function tunnelSpdy(deps: StreamDeps, context: RequestContext, location: Location): Promise<Answer> {
  const { request } = context;
  const signal = untilStopped(deps, context);
  const kept = forwardedHeaders(request, "upgrade").filter(([name]) => !webSocketHeaders.has(name.toLowerCase()));
  const asked = tunnelledProtocols(request).map((name): [string, string] => ["X-Stream-Protocol-Version", name]);
  const answer = await dial(
    callBackend({
      location,
      method: "POST",
      headers: [...kept, ["Upgrade", "SPDY/3.1"], ["Content-Length", "0"], ...asked],
      signal,
      clock: deps.streams.runtime.ioClock,
      network: deps.streams.network,
    }),
  );
  if (answer.kind === "answered") return refused(answer);
  if ((answer.response.headers.upgrade ?? "").toLowerCase() !== "spdy/3.1") {
    answer.socket.destroy();
    throw plainFailure("unable to upgrade: missing upgrade headers in response");
  }
  const chosen = `${prefix}${String(answer.response.headers["x-stream-protocol-version"] ?? "").trim()}`;
  return {
    as: "upgraded",
    async run() {
      const websocket = acceptClient(
        request,
        { choose: (requested) => (requested.includes(chosen) ? chosen : "") },
        deps.streams,
      );
      if (!websocket) return void answer.socket.destroy();
      const tunnel = tunnelThrough(websocket);
      if (answer.head.length > 0) tunnel.write(answer.head);
      await splice(tunnel, answer.socket, signal);
    },
  };
}
