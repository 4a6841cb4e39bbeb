import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { firstRefusal, type Guard } from "./guards/index.js";
import type { PodPort } from "./pod-port.js";

/** What is sent to the page whenever it changes. */
export interface ForwardState {
  readonly port: number;
  readonly connections: number;
  /** Of the last connection that failed; "": none did. */
  readonly problem: string;
}

export interface ForwardOptions {
  readonly guards: readonly Guard[];
  readonly signal: AbortSignal;
  onState(state: ForwardState): void;
}

/** A port of this machine, on loopback and with a free number, whose connections go to a pod. Resolves when it has ended. */
export async function forwardPort(podPort: PodPort, { guards, signal, onState }: ForwardOptions): Promise<void> {
  const open = new Set<Socket>();
  let problem = "";
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    const facts = { remoteAddress: socket.remoteAddress ?? "", connections: open.size };
    if (firstRefusal(guards, "connection", facts)) return void socket.destroy();
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      show();
    });
    show();
    void join(socket, podPort).catch((error: Error) => {
      problem = error.message;
      socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const show = (): void => onState({ port, connections: open.size, problem });
  show();
  const stop = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
    podPort.close();
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await podPort.closed;
  signal.removeEventListener("abort", stop);
  stop();
}

async function join(socket: Socket, podPort: PodPort): Promise<void> {
  const data = await podPort.connect();
  data.on("error", () => socket.destroy());
  await Promise.all([pipeline(socket, data, { end: true }), pipeline(data, socket, { end: true })]);
}
