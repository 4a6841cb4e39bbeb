import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { encodeBody, parseJsonBody } from "../transport/json-body.js";
import { requestTarget } from "../transport/query.js";
import { limitRequest, type RequestLimit } from "../transport/request-limit.js";
import { responseError } from "../transport/response-error.js";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.js";
import { TransportError } from "../transport/transport-error.js";
import { parseWarnings } from "../transport/warnings.js";
import type { WatchStream } from "../transport/watch-event.js";
import { watchChunks } from "../watch/watch-chunks.js";
import type { MessageSocket } from "./message-socket.js";
import { SocketConnection } from "./socket-connection.js";
import type { SocketStream } from "./socket-stream.js";
import type { HeadFrame } from "./stream-frame.js";

export interface SocketTransportOptions {
  /** Opens a connection to a relay. Called for the first request, and again for one after the connection was lost. */
  readonly connect: () => Promise<MessageSocket>;
  /** @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** Messages of an upgraded request, such as exec with the protocol `v5.channel.k8s.io`. */
export interface UpgradedStream {
  readonly protocol: string;
  readonly messages: AsyncIterable<Uint8Array>;
  send(message: Uint8Array): void;
  close(): void;
}

export interface SocketTransport extends Transport {
  /** @throws StatusError when the server refuses, TransportError */
  upgrade(request: TransportRequest, protocols: readonly string[]): Promise<UpgradedStream>;
}

/**
 * Any number of requests and watches over one connection, for a browser, which has six connections for each server and would need
 * one for each watch. A slow reader holds back its own stream only.
 */
export function createSocketTransport({ connect, runtime = systemRuntime() }: SocketTransportOptions): SocketTransport {
  let connecting: Promise<SocketConnection> | undefined;
  const connected = (): Promise<SocketConnection> => {
    if (connecting) return connecting;
    const opening = connect().then((socket) => {
      const connection = new SocketConnection(socket, forget);
      return connection;
    });
    const forget = (): void => {
      if (connecting === opening) connecting = undefined;
    };
    opening.catch(forget);
    connecting = opening;
    return opening;
  };

  async function exchange(request: TransportRequest, upgrade?: readonly string[]): Promise<Exchange> {
    const limit = limitRequest(request, runtime.clock);
    const body = request.body && encodeBody(request.body);
    try {
      const connection = await unlessAborted(connected(), limit.signal);
      const stream = connection.open(
        {
          method: request.method,
          target: requestTarget(request),
          headers: headersOf(request, body?.contentType),
          hasBody: body !== undefined,
          ...(upgrade && { upgrade }),
        },
        body?.bytes,
      );
      limit.signal.addEventListener("abort", () => stop(stream, connection, limit.signal.reason), { once: true });
      return { stream, connection, limit, head: await stream.head };
    } catch (cause) {
      limit.release();
      if (limit.signal.aborted) throw limit.signal.reason;
      if (cause instanceof TransportError) throw cause;
      throw new TransportError("connect", `no connection to the relay: ${(cause as Error).message}`, { cause });
    }
  }

  return {
    send: async (request) => new SocketResponse(await exchange(request)),
    async watch(request) {
      const answer = await exchange(request);
      if (answer.head.status !== 200) throw await refusalOf(request, answer);
      return readWatch(answer);
    },
    async upgrade(request, protocols) {
      const answer = await exchange(request, protocols);
      const { connection, stream, limit, head } = answer;
      if (head.status !== 101) throw await refusalOf(request, answer);
      limit.endTimer();
      return {
        protocol: head.protocol ?? "",
        messages: stream.body,
        send: (message) => connection.sendData(stream.id, message),
        close: () => stop(stream, connection),
      };
    },
    async close() {
      const connection = await connecting?.catch(() => undefined);
      connection?.close();
    },
  };
}

interface Exchange {
  readonly connection: SocketConnection;
  readonly stream: SocketStream;
  readonly limit: RequestLimit;
  readonly head: HeadFrame;
}

function stop(stream: SocketStream, connection: SocketConnection, reason?: unknown): void {
  connection.reset(stream.id);
  if (reason === undefined) stream.stop();
  else stream.fail(reason);
}

const headersOf = ({ headers = {} }: TransportRequest, contentType: string | undefined): [string, string][] => [
  ...(headers["accept"] === undefined ? ([["accept", "application/json"]] as [string, string][]) : []),
  ...(contentType === undefined ? [] : ([["content-type", contentType]] as [string, string][])),
  ...Object.entries(headers),
];

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const headerOf = ({ headers }: HeadFrame, name: string): string | undefined => {
  const values = headers.filter(([given]) => given === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
};

const refusalOf = async (request: TransportRequest, answer: Exchange): Promise<Error> =>
  responseError({
    method: request.method,
    path: request.path,
    status: answer.head.status,
    header: (name) => headerOf(answer.head, name),
    body: await new SocketResponse(answer).bytes(),
  });

class SocketResponse implements TransportResponse {
  readonly #answer: Exchange;
  readonly status: number;

  constructor(answer: Exchange) {
    this.#answer = answer;
    this.status = answer.head.status;
  }

  header(name: string): string | undefined {
    return headerOf(this.#answer.head, name);
  }

  get warnings(): readonly string[] {
    return parseWarnings(this.header("warning"));
  }

  async value(): Promise<unknown> {
    return parseJsonBody(await this.bytes());
  }

  async bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.stream()) {
      chunks.push(chunk);
      length += chunk.length;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  async *stream(): AsyncGenerator<Uint8Array, void> {
    const { stream, limit } = this.#answer;
    try {
      yield* stream.body;
    } finally {
      stream.stop(); // a reader that leaves early ends the request
      limit.release();
    }
  }
}

/** The next chunk gives credit for the one before: until there is room none is given, and the relay stops reading. */
const readWatch = ({ stream, connection, limit }: Exchange): WatchStream =>
  watchChunks(stream.body, {
    limit,
    cancel: () => stop(stream, connection),
    failure: (cause) => cause as Error,
  });
