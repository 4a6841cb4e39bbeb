import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { drained } from "../bytes/drained.js";
import { type Decoded, decode, encode, type MessageType } from "../protobuf/index.js";
import { FrameReader, frame } from "./framing.js";
import { MessageQueue } from "./message-queue.js";
import { decodeMetadata, type Metadata } from "./metadata.js";
import type { ServedMethod } from "./served-method.js";
import { encodeStatusMessage, GrpcError, numberOfCode } from "./status.js";

export interface GrpcServer {
  /** For a client: `http://127.0.0.1:port`, `https://…` or `unix://…`. */
  readonly endpoint: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface GrpcServerOptions {
  readonly methods: readonly ServedMethod[];
  /** A socket in the file system, or a port (0: a free one). */
  readonly listen: { readonly path: string } | { readonly port: number; readonly host?: string };
  /** PEM texts. With `clientCa` clients must show a certificate. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly clientCa?: string };
  /** Requests by HTTP/1.1, as curl and browsers send them. @default such connections are closed */
  readonly onHttp1?: (request: IncomingMessage, response: ServerResponse) => void;
}

export async function createGrpcServer({ methods, listen, tls, onHttp1 }: GrpcServerOptions): Promise<GrpcServer> {
  const byPath = new Map(methods.map((served) => [served.method.path, served]));
  const http2 = createHttp2Server();
  http2.on("stream", (stream, headers) => void answer(stream, String(headers[":path"]), headers, byPath));
  http2.on("sessionError", () => undefined); // The session is over; nobody else is concerned.
  const http1 = onHttp1 && createHttp1Server({ maxHeaderSize: 16 * 1024 }, onHttp1);
  const sockets = new Set<Socket>();
  const connect = (socket: Socket, isHttp2: boolean): void => {
    if (isHttp2) http2.emit("connection", socket);
    else if (http1) http1.emit("connection", socket);
    else socket.destroy();
  };
  const held = (socket: Socket): Socket => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    return socket.on("error", () => undefined);
  };
  const server: Server = tls
    ? createTlsServer(
        {
          cert: tls.certificate,
          key: tls.key,
          // gRPC clients offer HTTP/2 alone; a client that offers both, such as curl, is none and gets HTTP/1.1.
          ALPNProtocols: http1 ? ["http/1.1", "h2"] : ["h2"],
          ...(tls.clientCa !== undefined && { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
        },
        (socket: TLSSocket) => connect(held(socket), socket.alpnProtocol === "h2"),
      )
    : createNetServer((socket) => byFirstBytes(held(socket), connect));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(
      "path" in listen ? { path: listen.path } : { port: listen.port, host: listen.host ?? "127.0.0.1" },
      resolve,
    );
  });
  const address = server.address() as AddressInfo;
  return {
    endpoint:
      "path" in listen
        ? `unix://${listen.path}`
        : `${tls ? "https" : "http"}://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Without TLS the preface decides (RFC 9113, section 3.4): HTTP/1.1 has no method that begins so. */
function byFirstBytes(socket: Socket, connect: (socket: Socket, isHttp2: boolean) => void): void {
  socket.once("readable", () => {
    const first: Buffer | null = socket.read();
    if (first === null) return;
    socket.unshift(first);
    connect(socket, first.subarray(0, 3).toString("latin1") === "PRI");
  });
}

async function answer(
  stream: ServerHttp2Stream,
  path: string,
  headers: object,
  byPath: ReadonlyMap<string, ServedMethod>,
): Promise<void> {
  let trailers: Record<string, string> = { "grpc-status": "0" };
  stream.on("error", () => undefined); // The client is gone; `signal` is aborted.
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  try {
    const served = byPath.get(path);
    if (!served) throw new GrpcError("UNIMPLEMENTED", `${path} is not served here`);
    const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    await serve(served, stream, decodeMetadata(named));
  } catch (error) {
    const { code, message } =
      error instanceof GrpcError ? error : { code: "UNKNOWN" as const, message: (error as Error).message };
    trailers = { "grpc-status": String(numberOfCode(code)), "grpc-message": encodeStatusMessage(message) };
  }
  if (stream.destroyed) return;
  stream.end();
  // What the client may still send is of no interest. It resets its half when it has the status.
  stream.resume();
}

async function serve(
  { method, handle, maxMessageBytes }: ServedMethod,
  stream: ServerHttp2Stream,
  metadata: Metadata,
): Promise<void> {
  const gone = new AbortController();
  const requests = new MessageQueue<Decoded<MessageType>>(
    (held) => void (held > 16 ? stream.pause() : stream.resume()),
  );
  const reader = new FrameReader(maxMessageBytes, (bytes) => requests.push(decode(method.request, bytes)));
  stream.on("data", (chunk: Buffer) => {
    try {
      reader.push(chunk);
    } catch (error) {
      requests.end(error);
    }
  });
  stream.once("end", () => requests.end());
  stream.once("close", () => {
    gone.abort();
    requests.end(new GrpcError("CANCELLED", "the client is gone"));
  });
  await handle({
    metadata,
    requests,
    send: async (message) => {
      if (!stream.destroyed && !stream.write(frame(encode(method.response, message)))) await drained(stream);
    },
    signal: gone.signal,
  });
}
