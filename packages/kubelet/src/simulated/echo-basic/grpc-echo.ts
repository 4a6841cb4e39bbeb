import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { EchoContext } from "./echo-context.js";
import { serverNameOf } from "./tls-server.js";

const service = "gateway_api_conformance.echo_basic.grpcecho.GrpcEcho";
const methods = new Set(["Echo", "EchoTwo"]);

/** The service of conformance/echo-basic/grpcecho.proto, whose answers describe the request. */
export function createGrpcEcho(context: EchoContext): {
  plain(connection: Duplex): void;
  secure(connection: TLSSocket): void;
} {
  const accept = (connection: Duplex, secure: TLSSocket | undefined): void => {
    const server = createServer(); // one for each connection: it knows its TLS
    server.on("sessionError", () => connection.destroy());
    server.on("stream", (stream: ServerHttp2Stream, headers) => answer(stream, headers, { context, secure }));
    server.emit("connection", connection);
  };
  return { plain: (connection) => accept(connection, undefined), secure: (secure) => accept(secure, secure) };
}

interface Answering {
  readonly context: EchoContext;
  readonly secure: TLSSocket | undefined;
}

function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, { context, secure }: Answering): void {
  stream.on("error", () => {}); // the client has left
  stream.resume();
  const [, asked = "", method = ""] = (headers[":path"] ?? "").split("/");
  const content = { ":status": 200, "content-type": "application/grpc" };
  if (asked !== service || !methods.has(method))
    return void stream.respond(
      { ...content, "grpc-status": "12", "grpc-message": `method ${method} not implemented` },
      { endStream: true },
    );
  const message = member(1, assertionsOf(headers, { method, context, secure }));
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  stream.once("end", () => {
    stream.respond(content, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(frame);
  });
}

/** The message Assertions. */
function assertionsOf(
  headers: IncomingHttpHeaders,
  { method, context, secure }: Answering & { readonly method: string },
): Buffer {
  const lines = Object.entries(headers).filter(([name]) => !name.startsWith(":") || name === ":authority");
  return Buffer.concat([
    member(1, `/${service}/${method}`),
    ...lines.flatMap(([name, value]) =>
      [value ?? ""].flat().map((one) => member(2, Buffer.concat([member(1, name), member(2, one)]))),
    ),
    member(3, headers[":authority"] ?? ""),
    member(
      4,
      Buffer.concat([
        member(1, context.namespace),
        member(2, context.ingress),
        member(3, context.service),
        member(4, context.pod),
      ]),
    ),
    ...(secure ? [member(5, tlsOf(secure))] : []),
  ]);
}

const tlsOf = (secure: TLSSocket): Buffer => {
  const peer = secure.getPeerX509Certificate();
  return Buffer.concat([
    member(1, secure.getProtocol() ?? ""),
    member(2, secure.alpnProtocol || ""),
    member(3, serverNameOf(secure)),
    member(4, secure.getCipher().standardName),
    ...(peer ? [member(5, peer.toString())] : []),
  ]);
};

/** A member of a protobuf message that is a text or a message. */
function member(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const head = [(number << 3) | 2];
  for (let length = bytes.length; ; length >>>= 7) {
    if (length < 128) {
      head.push(length);
      return Buffer.concat([Buffer.from(head), bytes]);
    }
    head.push((length & 127) | 128);
  }
}
