import { createSecureServer, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { drained } from "../bytes/drained.js";
import { type Decoded, decode, type Encodable, encode, type MessageType } from "../protobuf/index.js";
import { FrameReader, frame } from "./framing.js";
import { MessageQueue } from "./message-queue.js";
import { decodeMetadata, type Metadata } from "./metadata.js";
import type { Method } from "./method.js";
import { encodeStatusMessage, GrpcError, numberOfCode } from "./status.js";

/** One call, seen from the server. */
export interface ServerCall<Req extends MessageType, Res extends MessageType> {
  readonly metadata: Metadata;
  readonly requests: AsyncIterable<Decoded<Req>>;
  /** Resolves when more may be sent. */
  send(message: Encodable<Res>): Promise<void>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

export interface ServedMethod {
  readonly path: string;
  readonly serve: (stream: ServerHttp2Stream, metadata: Metadata) => Promise<void>;
}

/** Throw a GrpcError to answer with its code; anything else becomes UNKNOWN. */
export const serveStream = <Req extends MessageType, Res extends MessageType>(
  method: Method<Req, Res>,
  handle: (call: ServerCall<Req, Res>) => Promise<void>,
  maxMessageBytes = 4 * 1024 * 1024,
): ServedMethod => ({
  path: method.path,
  async serve(stream, metadata) {
    const gone = new AbortController();
    const requests = new MessageQueue<Decoded<Req>>((held) => void (held > 16 ? stream.pause() : stream.resume()));
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
    const send = async (message: Encodable<Res>): Promise<void> => {
      if (!stream.destroyed && !stream.write(frame(encode(method.response, message)))) await drained(stream);
    };
    await handle({ metadata, requests, send, signal: gone.signal });
  },
});

export const serveUnary = <Req extends MessageType, Res extends MessageType>(
  method: Method<Req, Res>,
  handle: (request: Decoded<Req>, metadata: Metadata) => Promise<Encodable<Res>> | Encodable<Res>,
): ServedMethod =>
  serveStream(method, async (call) => {
    for await (const request of call.requests) return call.send(await handle(request, call.metadata));
    throw new GrpcError("INTERNAL", `${method.path} was called without a message`);
  });

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
}

export async function createGrpcServer({ methods, listen, tls }: GrpcServerOptions): Promise<GrpcServer> {
  const byPath = new Map(methods.map((served) => [served.path, served]));
  const server: Http2Server = tls
    ? createSecureServer({
        cert: tls.certificate,
        key: tls.key,
        ...(tls.clientCa !== undefined && { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
      })
    : createServer();
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket.once("close", () => sockets.delete(socket))));
  server.on(
    "stream",
    (stream, headers) =>
      void answer(stream, () => {
        const served = byPath.get(String(headers[":path"]));
        if (!served) throw new GrpcError("UNIMPLEMENTED", `${String(headers[":path"])} is not served here`);
        return served.serve(
          stream,
          decodeMetadata(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
        );
      }),
  );
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

async function answer(stream: ServerHttp2Stream, serve: () => Promise<void>): Promise<void> {
  let trailers: Record<string, string> = { "grpc-status": "0" };
  stream.on("error", () => undefined); // The client is gone; `signal` is aborted.
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  try {
    await serve();
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
