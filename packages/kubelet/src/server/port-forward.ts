import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { acceptSpdy, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { chunksOf } from "./chunks.js";
import type { FoundPod } from "./find-run.js";
import { insideStreams } from "./inside-streams.js";

/** Forwards connections to ports of a pod. Each is two streams with the same request ID: one for errors, one for data. */
export function forwardPorts(
  { agent, worker }: FoundPod,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): void {
  if (!isSpdyRequest(request.headers)) return refuseUpgrade(socket, 400, "port forwarding needs SPDY/3.1");
  const streaming = insideStreams(agent);
  const ending = new AbortController();
  socket.once("close", () => ending.abort());
  const errors = new Map<string, SpdyStream>();
  const waiting = new Map<string, SpdyStream>();
  const begin = (id: string, data: SpdyStream, error: SpdyStream): void => {
    const port = Number(data.headers.get("port")?.[0] ?? 0);
    streaming
      .openPort(worker.uid, port, { incoming: chunksOf(data), write: (chunk) => void data.write(chunk) }, ending.signal)
      .catch(
        (failure: Error) => void error.write(`error forwarding port ${port} to pod ${worker.uid}: ${failure.message}`),
      )
      .finally(() => {
        errors.delete(id);
        error.end();
        data.end();
      });
  };
  acceptSpdy(socket, head, {
    headers: { "X-Stream-Protocol-Version": "portforward.k8s.io" },
    onStream(stream) {
      const [id = "", type = ""] = ["requestid", "streamtype"].map((name) => stream.headers.get(name)?.[0] ?? "");
      stream.on("error", () => undefined); // the connection's own error ends everything
      (type === "error" ? errors : waiting).set(id, stream);
      const [data, error] = [waiting.get(id), errors.get(id)];
      if (!data || !error) return;
      waiting.delete(id);
      begin(id, data, error);
    },
  });
}
