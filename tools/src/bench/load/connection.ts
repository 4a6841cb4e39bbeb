import type { OnReadOpts } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import {
  connectionPreface,
  defaultWindow,
  frame,
  frameFlag,
  frameHeadLength,
  frameType,
  largestWindow,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from "./frame.js";
import { createFrameReader } from "./frame-reader.js";
import { decodeStatus, encodeHeaders } from "./header-block.js";

/** Of TLS, in bytes. OpenSSL hands out one at a time. */
const longestRecord = 16 << 10;

/** A request encoded once, to be sent any number of times on any connection. */
export interface PreparedRequest {
  readonly headerBlock: Buffer;
  readonly body: Buffer | undefined;
}

export interface RequestSpec {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AnswerHandlers {
  head?(status: number): void;
  /** Valid during the call only. */
  data?(part: Buffer): void;
  /** The answer is complete; `failure`: why it is not. */
  end?(failure?: string): void;
}

/**
 * One HTTP/2 connection of a load client. It does far less than node:http2 (no header decoding, no streams, no objects
 * per answer), so that a process of one core can keep a fast server busy.
 */
export interface LoadConnection {
  send(request: PreparedRequest, handlers: AnswerHandlers): void;
  close(): void;
}

export function prepareRequest(
  access: ClusterAccess,
  { method, path, headers = {}, body }: RequestSpec,
): PreparedRequest {
  const headerBlock = encodeHeaders([
    [":method", method],
    [":scheme", "https"],
    [":authority", new URL(access.server).host],
    [":path", path],
    ["user-agent", "coxswain-bench"],
    ...(access.token === undefined ? [] : [["authorization", `Bearer ${access.token}`] as const]),
    ...(body === undefined
      ? []
      : [["content-type", "application/json"] as const, ["content-length", String(Buffer.byteLength(body))] as const]),
    ...Object.entries(headers),
  ]);
  return { headerBlock, body: body === undefined ? undefined : Buffer.from(body) };
}

/** Resolves when the TLS handshake is done and our settings are on their way. */
export async function openConnection(access: ClusterAccess): Promise<LoadConnection> {
  const { hostname, port } = new URL(access.server);
  const open = new Map<number, AnswerHandlers>();
  const waiting: { request: PreparedRequest; handlers: AnswerHandlers }[] = [];
  let nextStream = 1;
  let sendWindow = defaultWindow;
  let received = 0; // since the window was last enlarged
  let outgoing: Buffer[] = [];

  const write = (bytes: Buffer): void => {
    if (outgoing.length === 0) process.nextTick(flush);
    outgoing.push(bytes);
  };
  // One write per turn: frames that go together share a TLS record.
  const flush = (): void => {
    const bytes = outgoing.length === 1 ? outgoing[0]! : Buffer.concat(outgoing);
    outgoing = [];
    socket.write(bytes);
  };
  const finish = (stream: number, failure?: string): void => {
    const handlers = open.get(stream);
    open.delete(stream);
    handlers?.end?.(failure);
  };
  const failAll = (failure: string): void => {
    for (const stream of open.keys()) finish(stream, failure);
    for (const { handlers } of waiting.splice(0)) handlers.end?.(failure);
  };
  const start = (request: PreparedRequest, handlers: AnswerHandlers): void => {
    const stream = nextStream;
    nextStream += 2;
    open.set(stream, handlers);
    const { headerBlock, body } = request;
    write(
      frame(
        frameType.headers,
        frameFlag.endHeaders | (body === undefined ? frameFlag.endStream : 0),
        stream,
        headerBlock,
      ),
    );
    if (body === undefined) return;
    sendWindow -= body.length;
    write(frame(frameType.data, frameFlag.endStream, stream, body));
  };
  const startWaiting = (): void => {
    while (waiting.length > 0 && (waiting[0]!.request.body?.length ?? 0) <= sendWindow) {
      const { request, handlers } = waiting.shift()!;
      start(request, handlers);
    }
  };

  const read = createFrameReader({
    data(stream, part) {
      received += part.length;
      open.get(stream)?.data?.(part);
    },
    dataEnd(stream, flags) {
      if (received > largestWindow / 2) {
        write(windowUpdateFrame(0, received));
        received = 0;
      }
      if (flags & frameFlag.endStream) finish(stream);
    },
    frame(type, flags, stream, payload) {
      if (type === frameType.headers) {
        open.get(stream)?.head?.(decodeStatus(payload, flags));
        if (flags & frameFlag.endStream) finish(stream);
      } else if (type === frameType.resetStream) finish(stream, `reset with code ${payload.readUInt32BE(0)}`);
      else if (type === frameType.goAway) failAll(`the server sent GOAWAY with code ${payload.readUInt32BE(4)}`);
      else if (type === frameType.settings && !(flags & frameFlag.ack))
        write(frame(frameType.settings, frameFlag.ack, 0, Buffer.alloc(0)));
      else if (type === frameType.ping && !(flags & frameFlag.ack))
        write(frame(frameType.ping, frameFlag.ack, 0, payload));
      else if (type === frameType.windowUpdate && stream === 0) {
        sendWindow += payload.readUInt32BE(0);
        startWaiting();
      }
    },
  });
  // One buffer for all that comes: a new one for each record would cost a client of large lists more than a server spends on them.
  const onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(longestRecord),
    callback(length, { buffer, byteOffset }) {
      read(Buffer.from(buffer, byteOffset, length));
      return true;
    },
  };
  const options: ConnectionOptions & { onread: OnReadOpts } = {
    host: hostname,
    port: Number(port),
    ca: access.certificateAuthority,
    cert: access.clientCertificate,
    key: access.clientKey,
    ALPNProtocols: ["h2"],
    onread,
  };
  const socket = connect(options);
  socket.on("error", (error) => failAll(String(error)));
  socket.on("close", () => failAll("the connection was closed"));
  await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  if (socket.alpnProtocol !== "h2") throw new Error(`${access.server} does not speak HTTP/2`);
  socket.setNoDelay(true);

  const settings = settingsFrame([
    [setting.headerTableSize, 0],
    [setting.enablePush, 0],
    [setting.initialWindowSize, largestWindow],
  ]);
  write(Buffer.concat([connectionPreface, settings, windowUpdateFrame(0, largestWindow - defaultWindow)]));

  return {
    send(request, handlers) {
      // A body must fit the connection's window whole; a stream's own window is larger than any body here.
      if ((request.body?.length ?? 0) + frameHeadLength > 16_384)
        throw new Error("a request's body must fit one frame");
      if (waiting.length > 0 || (request.body?.length ?? 0) > sendWindow) waiting.push({ request, handlers });
      else start(request, handlers);
    },
    close: () => socket.destroy(),
  };
}
