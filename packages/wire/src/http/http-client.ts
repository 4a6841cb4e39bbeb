import { type IncomingHttpHeaders, Agent as PlainAgent, request as requestPlain } from "node:http";
import { type AgentOptions, request as requestTls, Agent as TlsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { Clock } from "@coxswain/runtime/clock";
import { ByteCollector } from "../bytes/index.js";
import { followIdleConnections } from "../idle-connections/index.js";

/** TLS of an outgoing connection; PEM throughout. */
export interface HttpClientTls {
  /** A bundle may hold the server's own certificate: as in Go, any certificate in it counts as a root. @default the system's roots */
  readonly authority?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** @default the URL's host */
  readonly serverName?: string | undefined;
  /** The server's certificate is not verified. @default false */
  readonly insecure?: boolean | undefined;
  /** @default Node's check of names */
  readonly checkServerIdentity?: AgentOptions["checkServerIdentity"];
}

export interface HttpClientOptions {
  /** Real time: deadlines are for sockets. */
  readonly ioClock: Pick<Clock, "setTimer">;
  readonly tls?: HttpClientTls;
  /** Connections are kept for the next request. @default false */
  readonly keepAlive?: boolean;
  /** Where a connection for this host and port goes. A rejection is the exchange's failure. @default there */
  readonly dial?: (host: string, port: number) => HttpAddress | Promise<HttpAddress>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** Resolves the host. @default Node's */
  readonly lookup?: NonNullable<AgentOptions["lookup"]>;
}

export interface HttpRequest {
  readonly url: string | URL;
  /** @default POST with a body, else GET */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From the call to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The most bytes of an answer's body that are read. */
  readonly maxBytes: number;
  /** What happens with a longer one. @default "fail" */
  readonly onTooLong?: "fail" | "cut";
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Why an exchange came to no answer; a refused or lost connection is Node's own error. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly kind: "timeout" | "tooLong" | "brokenBody";

  constructor(kind: HttpFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * The way out by HTTP/1.1, for everything that asks somebody else's server a question and reads the whole answer: webhooks,
 * extenders, issuers of tokens, health checks.
 *
 * Guarantees: no more than `maxBytes` are held; an exchange ends within `timeoutMs`; a connection that the server has closed
 * while it was idle is not used again (a POST is not sent twice).
 */
export class HttpClient {
  readonly #ioClock: HttpClientOptions["ioClock"];
  readonly #plain: PlainAgent;
  readonly #tls: TlsAgent;
  readonly #idleNoticed: readonly (() => Promise<void> | undefined)[];
  readonly #stopped = new AbortController();

  constructor({ ioClock, tls = {}, keepAlive = false, dial }: HttpClientOptions) {
    this.#ioClock = ioClock;
    this.#plain = new PlainAgent({ keepAlive });
    this.#tls = new TlsAgent({ keepAlive, ...agentOptions(tls) });
    const agents = [this.#plain, this.#tls];
    if (dial) for (const agent of agents) dialThrough(agent, dial);
    this.#idleNoticed = keepAlive ? agents.map(followIdleConnections) : [];
  }

  /** Resolves with any answer, whatever its code. @throws HttpFailure, Node's error of the connection, or the signal's reason */
  async exchange(request: HttpRequest): Promise<HttpAnswer> {
    const { timeoutMs, signal } = request;
    const late = new AbortController();
    const timer = this.#ioClock.setTimer(timeoutMs, () =>
      late.abort(new HttpFailure("timeout", `no answer within ${timeoutMs} ms`)),
    );
    try {
      for (const noticed of this.#idleNoticed) await noticed();
      const ends = [late.signal, this.#stopped.signal, ...(signal ? [signal] : [])];
      return await this.#send(request, AbortSignal.any(ends));
    } catch (error) {
      if (late.signal.aborted && !signal?.aborted) throw late.signal.reason;
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** From now on no connection is kept for the next request; exchanges under way go on. */
  closeIdle(): void {
    for (const agent of [this.#plain, this.#tls]) {
      agent.maxFreeSockets = 0;
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Ends exchanges and connections. */
  stop(): void {
    this.#stopped.abort(new Error("the client was stopped"));
    this.#plain.destroy();
    this.#tls.destroy();
  }

  #send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { body, headers = {}, method = body === undefined ? "GET" : "POST" } = request;
    const url = new URL(request.url);
    const isTls = url.protocol === "https:";
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const sent = (isTls ? requestTls : requestPlain)(
        // Not the parsed URL: Go's servers receive the path as it was written.
        request.url,
        { method, signal, agent: isTls ? this.#tls : this.#plain, headers: { ...headers, ...length } },
        (answer) => {
          readBody(answer, request).then(
            (read) => resolve({ code: answer.statusCode ?? 0, headers: answer.headers, body: read }),
            reject,
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }
}

async function readBody(
  answer: AsyncIterable<Buffer>,
  { maxBytes, onTooLong = "fail" }: Pick<HttpRequest, "maxBytes" | "onTooLong">,
): Promise<Buffer> {
  const body = new ByteCollector();
  try {
    // Leaving the loop destroys the answer.
    for await (const chunk of answer) {
      const room = maxBytes - body.length;
      if (chunk.length > room && onTooLong === "fail") throw new HttpFailure("tooLong", "the answer is too long");
      body.add(chunk.subarray(0, room));
      if (chunk.length > room) break;
    }
  } catch (error) {
    throw error instanceof HttpFailure ? error : new HttpFailure("brokenBody", "the answer ended early", error);
  }
  return body.take();
}

const agentOptions = ({ authority, certificate, key, serverName, insecure, checkServerIdentity }: HttpClientTls) => ({
  ...(authority !== undefined && { ca: authority, allowPartialTrustChain: true }),
  ...(certificate !== undefined && { cert: certificate }),
  ...(key !== undefined && { key }),
  ...(serverName !== undefined && { servername: serverName }),
  ...(checkServerIdentity && { checkServerIdentity }),
  rejectUnauthorized: insecure !== true,
});

/** New connections go where `dial` leads; names and certificates stay those of the URL. */
function dialThrough(agent: PlainAgent, dial: NonNullable<HttpClientOptions["dial"]>): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const host = (options.host ?? "").replace(/^\[|\]$/g, "");
    Promise.resolve()
      .then(() => dial(host, Number(options.port)))
      .then((address) => callback?.(null, connect({ ...options, ...address }) as Duplex))
      .catch((error: unknown) =>
        callback?.(error instanceof Error ? error : new Error(String(error)), undefined as never),
      );
    return undefined;
  };
}
