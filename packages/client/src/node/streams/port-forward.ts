import { type AddressInfo, createServer, type Server } from "node:net";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createSpdyConnection, type SpdyConnection } from "@coxswain/wire/spdy";
import { tunnelThrough } from "@coxswain/wire/websocket";
import { resourcePath } from "../../rest/index.js";
import { TransportError } from "../../transport/transport-error.js";
import type { NodeTransport } from "../http/index.js";
import { NoWebSocket, openSpdy, openWebSocket } from "./upgrade.js";

export interface PortForwardOptions {
  readonly namespace: string;
  readonly pod: string;
  /** Beside those of the transport: whom to impersonate. @default none */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly signal?: AbortSignal;
}

/** Connections to ports of a pod, all over one connection to the API server. */
export interface PortForward {
  /** One connection to a port. The stream fails with what the pod's side reports. */
  connect(port: number): Promise<Duplex>;
  /** A port of this machine whose connections go to the pod. `localPort` 0: any free one. */
  listen(
    port: number,
    options?: { localPort?: number; host?: string },
  ): Promise<{ readonly port: number; close(): Promise<void> }>;
  /** Ends all of them. */
  close(): void;
  readonly closed: Promise<void>;
}

const protocol = "portforward.k8s.io";

/** Over a WebSocket that carries SPDY, else over SPDY itself. @throws StatusError, TransportError */
export async function portForward(
  client: { sockets: NodeTransport },
  options: PortForwardOptions,
): Promise<PortForward> {
  const connection = await open(client.sockets, options);
  const servers = new Set<Server>();
  let requests = 0;
  const close = (): void => {
    for (const server of servers) server.close();
    connection.destroy();
  };
  options.signal?.addEventListener("abort", close, { once: true });
  void connection.closed.then(() => options.signal?.removeEventListener("abort", close));

  async function connect(port: number): Promise<Duplex> {
    const id = requests++;
    const headers = (type: string) =>
      new Map([
        ["streamtype", [type]],
        ["port", [String(port)]],
        ["requestid", [String(id)]],
      ]);
    const errors = await connection.createStream(headers("error"));
    errors.end(); // nothing is sent on it from here
    const data = await connection.createStream(headers("data"));
    const failure = text(errors).then(
      (message) => (message === "" ? undefined : new TransportError("lost", `port ${port}: ${message}`)),
      () => undefined, // the connection is gone, which the data stream shows
    );
    return withError(data, failure);
  }

  return {
    connect,
    async listen(port, { localPort = 0, host = "127.0.0.1" } = {}) {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        socket.on("error", () => {}); // a client that goes away is no failure of the forward
        connect(port).then(
          (data) => {
            data.on("error", () => socket.destroy());
            void Promise.allSettled([pipeline(socket, data, { end: true }), pipeline(data, socket, { end: true })]);
          },
          () => socket.destroy(),
        );
      });
      servers.add(server);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(localPort, host, () => resolve());
      });
      return {
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((resolve) => {
            servers.delete(server);
            server.close(() => resolve());
          }),
      };
    },
    close,
    closed: connection.closed,
  };
}

/** The data, then the error of the pod's side: the data may end before it arrives. */
function withError(data: Duplex, failure: Promise<Error | undefined>): Duplex {
  const connection = new Duplex({
    allowHalfOpen: true,
    read: () => void data.resume(),
    write: (chunk: Buffer, _, done) => void data.write(chunk, done),
    final: (done) => void data.end(done),
    destroy(error, done) {
      data.destroy();
      done(error);
    },
  });
  data.on("data", (chunk: Buffer) => {
    if (!connection.push(chunk)) data.pause();
  });
  data.once("error", (error) => connection.destroy(error));
  data.once("end", () => void failure.then((error) => (error ? connection.destroy(error) : connection.push(null))));
  void failure.then((error) => error && connection.destroy(error));
  return connection;
}

async function open(
  transport: NodeTransport,
  { namespace, pod, headers = [], signal }: PortForwardOptions,
): Promise<SpdyConnection> {
  const path = resourcePath({
    group: "",
    version: "v1",
    resource: "pods",
    namespace,
    name: pod,
    subresource: "portforward",
  });
  const request = { path, query: [], headers, signal };
  try {
    const websocket = await openWebSocket(transport, { ...request, protocols: [`SPDY/3.1+${protocol}`] });
    return createSpdyConnection(tunnelThrough(websocket), { role: "client" });
  } catch (error) {
    if (!(error instanceof NoWebSocket)) throw error;
  }
  return (await openSpdy(transport, { ...request, protocols: [protocol] })).connection;
}
