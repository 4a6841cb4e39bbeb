import {
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as requestPlain,
} from "node:http";
import { request as requestTls } from "node:https";
import type { Duplex } from "node:stream";
import { ByteCollector } from "../bytes/index.js";

export interface UpgradeOptions {
  /** `http:` or `https:`. */
  readonly url: string | URL;
  /** The protocol asked for, for example `websocket`. */
  readonly protocol: string;
  /** @default "GET" */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** PEM texts, for `https:`. */
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** A socket in the file system instead of the URL's host. */
  readonly socketPath?: string;
  /** An open connection to use instead of a new one, TLS included, for example through a proxy. */
  readonly socket?: Duplex;
  readonly signal?: AbortSignal;
}

/** A connection that has left HTTP behind. */
export interface Upgraded {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
  /** What came right behind the answer. */
  readonly head: Buffer;
}

/** The server answered, but did not change protocols. */
export class UpgradeRefused extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, body: Buffer) {
    super(
      `the server answered ${status} instead of changing protocols${body.length > 0 ? `: ${body.toString("utf8", 0, 1000)}` : ""}`,
    );
    this.name = "UpgradeRefused";
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Of a refusal; enough for any error object. */
const maxBodyBytes = 64 * 1024;

/** @throws UpgradeRefused, or the connection's error */
export function requestUpgrade(options: UpgradeOptions): Promise<Upgraded> {
  const url = new URL(options.url);
  const settings: RequestOptions = {
    method: options.method ?? "GET",
    headers: { ...options.headers, Connection: "Upgrade", Upgrade: options.protocol },
    // A connection of its own: an agent's pool has no use for one that leaves HTTP.
    ...(options.socket ? { createConnection: () => options.socket as Duplex } : { agent: false }),
    ...(options.socketPath !== undefined && { socketPath: options.socketPath }),
    ...(options.signal && { signal: options.signal }),
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:" && options.socket === undefined
        ? requestTls(url, { ...settings, ...options.tls })
        : requestPlain(options.socket ? plainUrl(url) : url, settings);
    request.once("error", reject);
    request.once("upgrade", (response, socket, head) => {
      if (String(response.headers.upgrade).toLowerCase() === options.protocol.toLowerCase())
        return resolve({ headers: response.headers, socket, head });
      socket.destroy();
      reject(
        new UpgradeRefused(101, response.headers, Buffer.from(`it changed to ${String(response.headers.upgrade)}`)),
      );
    });
    request.once("response", (response) => {
      const body = new ByteCollector();
      response.on("data", (part: Buffer) => void body.add(part.subarray(0, maxBodyBytes - body.length)));
      response.once("error", reject);
      response.once("end", () => reject(new UpgradeRefused(response.statusCode ?? 0, response.headers, body.take())));
    });
    request.end();
  });
}

/** The connection has its TLS already; what is sent over it is plain HTTP. */
function plainUrl(url: URL): URL {
  const plain = new URL(url);
  plain.protocol = "http:";
  // The usual port of https is not that of http: it must stay in the Host header.
  if (url.port === "" && url.protocol === "https:") plain.port = "443";
  return plain;
}
