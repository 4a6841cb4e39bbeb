import type { Readable } from "node:stream";
import { untilStopped } from "../../endpoints/until-stopped.js";
import type { UpgradedAnswer } from "../../request/answer.js";
import { acceptClient, firstOf } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import type { StreamDeps } from "./stream-deps.js";

const base64 = "base64.binary.k8s.io";

/** Bytes over a WebSocket, as messages whose borders mean nothing; a first empty one shows that the stream is open. What the client sends is discarded. */
export function sendOverWebSocket(deps: StreamDeps, context: RequestContext, bytes: Readable): UpgradedAnswer {
  return {
    as: "upgraded",
    async run() {
      const websocket = acceptClient(context.request, { choose: firstOf(["", "binary.k8s.io", base64]) }, deps.streams);
      if (!websocket) return void bytes.destroy();
      const encode = (chunk: Buffer): Buffer | string =>
        websocket.protocol === base64 ? chunk.toString("base64") : chunk;
      const signal = untilStopped(deps, context);
      const stop = (): void => void bytes.destroy();
      const closed = new Promise<void>((resolve) =>
        websocket.listen({ onMessage: () => {}, onClose: () => (stop(), resolve()) }),
      );
      signal.addEventListener("abort", stop, { once: true });
      try {
        websocket.send(encode(Buffer.alloc(0)));
        for await (const chunk of bytes as AsyncIterable<Buffer>)
          if (!websocket.send(encode(chunk))) await websocket.drained();
      } catch {
        // The log broke off: the client only sees that it is over.
      }
      websocket.close();
      await closed;
      signal.removeEventListener("abort", stop);
    },
  };
}
