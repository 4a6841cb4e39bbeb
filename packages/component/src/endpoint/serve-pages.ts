import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { encodePem } from "@coxswain/wire/x509";
import type { Page, PageGuard, PageRequest, PageSource } from "./page.js";

export interface ServePagesOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** Authorities of client certificates, in PEM. Clients without one are served too, if the guard lets them. */
  readonly clientAuthorities?: string;
  readonly ciphers?: string;
  readonly minVersion?: "TLSv1.2" | "TLSv1.3";
  readonly guard: PageGuard;
  readonly pages: PageSource;
  /** Receives what went wrong while a page was made. */
  readonly onError: (error: unknown) => void;
}

export interface ServedPages {
  readonly port: number;
  stop(): Promise<void>;
}

/** Node's defaults let a slow client hold a connection for minutes; pages are small. */
const headersTimeoutMs = 10_000;

/** Serves a component's pages by HTTPS. They have no bodies to read: what a client sends behind its headers is dropped. */
export async function servePages(options: ServePagesOptions): Promise<ServedPages> {
  const { guard, pages, onError, credentials } = options;
  const sockets = new Set<Socket>();
  const server = createServer(
    {
      cert: credentials.certificate,
      key: credentials.key,
      ...(options.clientAuthorities !== undefined && { ca: options.clientAuthorities }),
      ...(options.ciphers !== undefined && { ciphers: options.ciphers }),
      ...(options.minVersion !== undefined && { minVersion: options.minVersion }),
      requestCert: true,
      rejectUnauthorized: false,
      headersTimeout: headersTimeoutMs,
      requestTimeout: 2 * headersTimeoutMs,
    },
    (incoming, response) => {
      incoming.resume();
      answer(incoming, { guard, pages })
        .catch((error: unknown): Page => {
          onError(error);
          return { status: 500, body: "internal server error\n" };
        })
        .then((page) => write(response, page), onError);
    },
  );
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {}); // a client that gives up in the handshake concerns nobody
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  { guard, pages }: Pick<ServePagesOptions, "guard" | "pages">,
): Promise<Page> {
  const request = requestOf(incoming);
  if (request === undefined) return { status: 400, body: "400 Bad Request: malformed URL\n" };
  return (
    (await guard(request)) ?? (await pages(request)) ?? { status: 404, body: `404 page not found: ${request.path}\n` }
  );
}

const base = "https://component";

function requestOf(incoming: IncomingMessage): PageRequest | undefined {
  const target = incoming.url ?? "/";
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  const socket = incoming.socket as TLSSocket;
  const certificate = socket.authorized ? socket.getPeerCertificate().raw : undefined;
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    ...(certificate && { certificate: encodePem("CERTIFICATE", certificate) }),
  };
}

function write(response: ServerResponse, { status = 200, contentType, body }: Page): void {
  response.writeHead(status, {
    "content-type": contentType ?? "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache, private",
  });
  response.end(body);
}
