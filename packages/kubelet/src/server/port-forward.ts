import type { Duplex } from "node:stream";
import { acceptSpdy, createSpdyConnection, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { acceptWebSocket, planHandshake, tunnelThrough } from "@coxswain/wire/websocket";
import { describePod } from "../objects/cached-pod.js";
import type { StreamsInside } from "../runtime/container-runtime.js";
import type { CommandDeps } from "./accept-command.js";
import { chunksOf } from "./chunks.js";
import type { FoundPod } from "./find-run.js";
import { forwardByWebSocket } from "./forward-by-websocket.js";
import { KubeletRefusal } from "./kubelet-source.js";
import type { KubeletCall } from "./serve-page.js";
import { readPorts } from "./stream-options.js";
import { isTunnel, tunnelProtocol } from "./tunnel-ports.js";
import type { UpgradeCall } from "./upgrade.js";

/** Forwards connections to ports of a pod in this process. @throws KubeletRefusal before the protocols change */
export function forwardPorts(
  streaming: StreamsInside,
  { found, call, upgrade, deps }: { found: FoundPod; call: KubeletCall; upgrade: UpgradeCall; deps: CommandDeps },
): void {
  const { request, socket, head } = upgrade;
  const ending = new AbortController();
  socket.once("close", () => ending.abort());
  /** Resolves to why it failed, or undefined. */
  const forward = async (port: number, data: Duplex): Promise<string | undefined> => {
    const streams = { incoming: chunksOf(data), write: (chunk: Uint8Array) => void data.write(chunk) };
    try {
      await streaming.openPort(found.worker.uid, port, streams, ending.signal);
      return undefined;
    } catch (error) {
      return `error forwarding port ${port} to pod ${describePod(found.worker.pod())}: ${(error as Error).message}`;
    }
  };
  if (isSpdyRequest(request.headers)) {
    const onStream = pairStreams(forward);
    acceptSpdy(socket, head, { headers: { "X-Stream-Protocol-Version": "portforward.k8s.io" }, onStream });
  } else if (isTunnel(upgrade)) {
    const plan = planHandshake(request.headers, [tunnelProtocol]);
    if (plan.kind === "refuse") throw new KubeletRefusal(plan.status, plan.message);
    const { ioClock, random } = deps.runtime;
    const tunnel = tunnelThrough(acceptWebSocket(socket, head, plan, { clock: ioClock, random }));
    createSpdyConnection(tunnel, { role: "server", onStream: pairStreams(forward) });
  } else forwardByWebSocket(upgrade, readPorts(call.url.searchParams), { runtime: deps.runtime, forward });
}

/** Over SPDY a connection is two streams with the same request ID: one for errors, one for data. */
export function pairStreams(
  forward: (port: number, data: Duplex) => Promise<string | undefined>,
): (stream: SpdyStream) => void {
  const errors = new Map<string, SpdyStream>();
  const waiting = new Map<string, SpdyStream>();
  const begin = async (id: string, data: SpdyStream, error: SpdyStream): Promise<void> => {
    const failure = await forward(Number(data.headers.get("port")?.[0] ?? 0), data);
    if (failure !== undefined) error.write(failure);
    errors.delete(id);
    error.end();
    data.end();
  };
  return (stream) => {
    const [id = "", type = ""] = ["requestid", "streamtype"].map((name) => stream.headers.get(name)?.[0] ?? "");
    stream.on("error", () => undefined); // the connection's own error ends everything
    (type === "error" ? errors : waiting).set(id, stream);
    const [data, error] = [waiting.get(id), errors.get(id)];
    if (!data || !error) return;
    waiting.delete(id);
    void begin(id, data, error);
  };
}
