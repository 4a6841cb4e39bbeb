import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import { dialError } from "./dial-error.js";
import { type HttpGetRequest, urlOf } from "./http-get-request.js";
import { planRedirect } from "./redirect.js";

export type HttpGetResult =
  | { readonly kind: "response"; readonly status: number; readonly body: string }
  /** There was no response. */
  | { readonly kind: "failed"; readonly error: string }
  /** The response ended before its body did. */
  | { readonly kind: "cut"; readonly error: string };

/** Of a response's body: more is not read (pkg/probe/http/http.go, maxRespBodyLength). */
const maxBodyBytes = 10 * 1024;
/** Of a response's header; Go's limit is 10 MB. */
const maxHeaderBytes = 1024 * 1024;

interface HttpGetOptions {
  readonly clock: Clock;
  /** Of all requests together. @default none */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A GET without keep-alive, without a proxy and without a check of certificates, redirects within the host followed. */
export async function httpGet(
  first: HttpGetRequest,
  { clock, timeoutMs, signal }: HttpGetOptions,
): Promise<HttpGetResult> {
  const ending = new AbortController();
  const isTimedOut = (): boolean => ending.signal.aborted && signal?.aborted !== true;
  const timer = timeoutMs === undefined ? undefined : clock.setTimer(timeoutMs, () => ending.abort());
  const stop = (): void => ending.abort();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const failed = (request: HttpGetRequest, error: string): HttpGetResult => ({
    kind: "failed",
    error: `Get ${JSON.stringify(urlOf(request))}: ${error}`,
  });
  try {
    let request = first;
    for (let sent = 1; ; sent++) {
      const answer = await send(request, ending.signal);
      if (answer.kind === "failed")
        return failed(
          request,
          isTimedOut() ? `${deadline} (Client.Timeout exceeded while awaiting headers)` : answer.error,
        );
      const { response } = answer;
      const { statusCode: status = 0 } = response;
      const redirect = planRedirect(
        { status, location: response.headers.location },
        { current: request, firstHost: first.host, sent },
      );
      if (redirect.kind === "stay") {
        const read = await readBody(response);
        if (read.error === undefined) return { kind: "response", status, body: read.body };
        const late = `${deadline} (Client.Timeout or context cancellation while reading body)`;
        return { kind: "cut", error: isTimedOut() ? late : read.error };
      }
      response.destroy();
      if (redirect.kind === "refuse") return failed(request, redirect.error);
      request = redirect.request;
    }
  } finally {
    timer?.cancel();
    signal?.removeEventListener("abort", stop);
    ending.abort();
  }
}

const deadline = "context deadline exceeded";

type Sent =
  | { readonly kind: "response"; readonly response: IncomingMessage }
  | { readonly kind: "failed"; readonly error: string };

function send(request: HttpGetRequest, signal: AbortSignal): Promise<Sent> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ kind: "failed", error: explain(error, request) });
    let sent: ClientRequest;
    try {
      sent = open(request, signal);
    } catch (error) {
      return fail(error as Error); // a header that cannot be sent
    }
    sent.once("response", (response) => resolve({ kind: "response", response }));
    // A server that switches protocols unasked has answered.
    sent.once("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ kind: "response", response });
    });
    sent.on("error", fail);
    sent.end();
  });
}

function open({ scheme, host, port, target, headers }: HttpGetRequest, signal: AbortSignal): ClientRequest {
  const options = {
    host,
    port,
    path: target,
    method: "GET",
    headers,
    agent: false as const,
    maxHeaderSize: maxHeaderBytes,
    signal,
  };
  if (scheme === "http") return requestPlain(options);
  const servername = isIP(host) === 0 ? host : "";
  return requestTls({ ...options, servername, rejectUnauthorized: false });
}

/** Codes of OpenSSL for bytes that are no TLS. */
const noTls = new Set(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG", "EPROTO"]);
/** In Go's words; hooks are tried again without TLS. */
export const plainHttpError = "http: server gave HTTP response to HTTPS client";

function explain(error: Error, { host, port, scheme }: HttpGetRequest): string {
  const { code = "" } = error as { code?: string };
  if (scheme === "https" && noTls.has(code)) return plainHttpError;
  if (code === "ECONNRESET" && error.message === "socket hang up") return "EOF";
  if (code.startsWith("HPE_"))
    return `net/http: HTTP/1.x transport connection broken: malformed HTTP response (${error.message})`;
  return dialError(error, host, port);
}

/** The beginning of a body. */
function readBody(response: IncomingMessage): Promise<{ readonly body: string; readonly error?: string }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let left = maxBodyBytes;
    const end = (error?: string): void => {
      resolve({ body: Buffer.concat(chunks).toString("utf8"), ...(error !== undefined && { error }) });
      response.destroy();
    };
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) end();
    });
    response.once("end", () => end());
    response.on("error", () => end("unexpected EOF"));
  });
}
