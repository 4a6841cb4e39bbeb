import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { retry } from "@coxswain/runtime/backoff";
import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { ClientConfig } from "@coxswain/component/kubeconfig";
import { followIdleConnections } from "@coxswain/wire/idle-connections";
import { connectError, type Network } from "../network/network.js";
import { type CertificateMeter, checkIdentity, isWeakDigest } from "./certificate-meter.js";
import { dialText } from "./dial-text.js";
import type { ServiceAddress } from "./service-resolver.js";
import { type ExpectedAnswer, isPassing, type RawAnswer, readAnswer, refusalText } from "./webhook-answer.js";
import { readAnswerText } from "./read-answer-text.js";

/** A service beside the server that is asked by POST, in JSON. */
export interface WebhookClient {
  /** The answer, which has a code of 2xx. Rejects with a WebhookError when the service could not be asked or answered otherwise. */
  post(body: unknown, signal?: AbortSignal, call?: WebhookCall): Promise<unknown>;
  /** From now on no connection is kept for the next call; calls under way go on. */
  closeIdle(): void;
  /** Closes all connections. */
  stop(): void;
}

/** What differs from call to call. */
export interface WebhookCall {
  /** @default the client's */
  readonly timeoutMs?: number;
  /** What a call that took too long fails with. @default the client's */
  readonly timeoutText?: string;
  /** Reads an answer of 2xx. What it throws is the call's failure. @default JSON of what the client expects */
  readonly read?: (answer: RawAnswer) => unknown;
}

export interface WebhookOptions {
  /** Real time: sockets. */
  readonly ioClock: Clock;
  readonly random: RandomSource;
  /** One try takes no longer. @default 30 s */
  readonly timeoutMs?: number;
  /** The first wait before another try. @default 500 ms */
  readonly initialBackoffMs?: number;
  /** @default what may pass: a connection that was reset, an answer of 429 or of 5xx, except for 503 without Retry-After */
  readonly isRetriable?: (error: WebhookError) => boolean;
  /** What answers must be. @default anything */
  readonly expects?: ExpectedAnswer;
  /** The body of an answer of 2xx is not read. @default false: it is JSON */
  readonly ignoresAnswer?: boolean;
  /** Where new connections go, where that is not the URL's host. A rejection is the call's failure. @default the URL's host */
  readonly dial?: () => ServiceAddress | Promise<ServiceAddress>;
  /** Where the address comes from an object of the API: it may lead into the simulated network. @default any address is dialled */
  readonly network?: Pick<Network, "owns" | "lookup">;
  /** @default "coxswain" */
  readonly userAgent?: string;
  /** What a call that took too long failed with. @default that of Go's HTTP client */
  readonly timeoutText?: string;
  /** Called with certificates that cannot be trusted by what they are. */
  readonly certificates?: CertificateMeter;
  /** Called for every try. */
  readonly onTry?: (outcome: WebhookOutcome, ms: number) => void;
}

/** How one try went, as upstream's metrics call it. */
export type WebhookOutcome = "success" | "timeout" | "canceled" | "error";

/** Why a service gave no answer that counts. */
export class WebhookError extends Error {
  /** Undefined: there was no answer at all. */
  readonly code: number | undefined;
  /** Whether another try may go better. */
  readonly mayPass: boolean;

  constructor(
    message: string,
    { code, mayPass = false, cause }: { code?: number; mayPass?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "WebhookError";
    this.code = code;
    this.mayPass = mayPass;
  }
}

/** Answers longer than this are not for a webhook to give. */
const maxResponseBytes = 3 * 1024 * 1024;
/** As upstream's: five tries, each wait half as long again as the one before. */
const waits = { factor: 1.5, jitter: 0.2, steps: 5 };

export function createWebhookClient(config: ClientConfig, options: WebhookOptions): WebhookClient {
  const {
    ioClock,
    random,
    timeoutMs = 30_000,
    initialBackoffMs = 500,
    isRetriable = isTransient,
    ignoresAnswer = false,
    expects,
    certificates,
    userAgent = "coxswain",
    timeoutText = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
    onTry,
  } = options;
  const server = new URL(config.server);
  /** With the port that was given, even where it is the scheme's own: errors show it. */
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(config.server)?.[1] ?? server.host;
  /** Services receive their timeout in the query; other parameters of a kubeconfig's URL are dropped, as upstream does. */
  const urlFor = (ms: number): string =>
    `${server.protocol}//${authority}${server.pathname}?timeout=${formatDurationMs(ms)}`;
  const isSecure = server.protocol === "https:";
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, ...tlsOf(config), checkServerIdentity: checkIdentity(certificates) })
    : new HttpAgent({ keepAlive: true });
  if (options.dial || options.network) dialThrough(agent, options);
  // A service that restarted must not fail the next call: a POST is not sent twice.
  const idleConnectionsNoticed = followIdleConnections(agent);
  const send = isSecure ? httpsRequest : httpRequest;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, */*",
    "user-agent": userAgent,
    ...(isSecure ? credentialsOf(config) : {}),
  }; // No credentials where everybody can read them.

  async function once(body: string, signal: AbortSignal | undefined, call: WebhookCall): Promise<unknown> {
    const ms = call.timeoutMs ?? timeoutMs;
    const url = urlFor(ms);
    const began = ioClock.monotonic();
    let outcome: WebhookOutcome = "error";
    const late = new AbortController();
    const timer = ioClock.setTimer(ms, () => late.abort());
    try {
      const both = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      await idleConnectionsNoticed();
      const answer = take(await exchange(url, body, both), call);
      outcome = "success";
      return answer;
    } catch (err) {
      if (signal?.aborted) outcome = "canceled";
      else if (late.signal.aborted || (err instanceof WebhookError && err.code === 504)) outcome = "timeout";
      if (isWeakDigest(err)) certificates?.weakDigest();
      throw err instanceof WebhookError
        ? err
        : new WebhookError(
            `Post ${JSON.stringify(url)}: ${late.signal.aborted ? (call.timeoutText ?? timeoutText) : reasonOf(server, err)}`,
            {
              cause: err,
              mayPass: codeOf(err) === "ECONNRESET",
            },
          );
    } finally {
      timer.cancel();
      onTry?.(outcome, ioClock.monotonic() - began);
    }
  }

  function exchange(url: string, body: string, signal: AbortSignal): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = send(
        url,
        { method: "POST", agent, signal, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
        (answer) => {
          readAnswerText(answer, maxResponseBytes, () => new WebhookError("the answer is too long"))
            .catch((err: unknown) => {
              throw err instanceof WebhookError ? err : brokenBody(err, signal);
            })
            .then((body) => ({
              code: answer.statusCode ?? 0,
              contentType: answer.headers["content-type"] ?? "",
              retryAfter: answer.headers["retry-after"] ?? "",
              body,
            }))
            .then(resolve, reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  function take(answer: RawAnswer, { read }: WebhookCall): unknown {
    const { code } = answer;
    // As upstream's client has it: 206 is the last code that counts.
    if (code < 200 || code > 206) throw new WebhookError(refusalText(answer), { code, mayPass: isPassing(answer) });
    if (ignoresAnswer) return undefined;
    try {
      return read ? read(answer) : readAnswer(answer, expects);
    } catch (err) {
      throw new WebhookError((err as Error).message, { code, cause: err });
    }
  }

  return {
    post(body, signal, call = {}) {
      const written = typeof body === "string" ? body : JSON.stringify(body);
      return retry(() => once(written, signal, call), {
        backoff: { initialMs: initialBackoffMs, random, ...waits },
        clock: ioClock,
        ...(signal && { signal }),
        isRetriable: (err) => err instanceof WebhookError && signal?.aborted !== true && isRetriable(err),
      });
    },
    closeIdle() {
      agent.maxFreeSockets = 0;
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    stop: () => agent.destroy(),
  };
}

/**
 * Connections go to the address that `dial` gives; names and certificates stay those of the URL. Nothing of the simulated network serves
 * webhooks, and no socket may be opened to it.
 */
function dialThrough(agent: HttpAgent, { dial, network }: Pick<WebhookOptions, "dial" | "network">): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const ofUrl = (): ServiceAddress => ({
      hostname: (options.host ?? "").replace(/^\[|\]$/g, ""),
      port: Number(options.port),
    });
    Promise.resolve()
      .then(dial ?? ofUrl)
      .then(({ hostname, port }) => {
        if (network?.owns(hostname)) throw connectError("ECONNREFUSED", hostname, port);
        const lookup = network && { lookup: network.lookup };
        callback?.(null, connect({ ...options, ...lookup, host: hostname, port }) as Duplex);
      })
      .catch((err: unknown) => callback?.(err instanceof Error ? err : new Error(String(err)), undefined as never));
    return undefined;
  };
}

const brokenBody = (cause: unknown, signal: AbortSignal): WebhookError =>
  new WebhookError(
    `unexpected error when reading response body. Please retry. Original error: ${signal.aborted ? "context deadline exceeded" : "unexpected EOF"}`,
    { cause, mayPass: codeOf(cause) === "ECONNRESET" },
  );

const isTransient = ({ mayPass }: WebhookError): boolean => mayPass;

const codeOf = (err: unknown): unknown =>
  (err as { code?: unknown }).code ?? ((err as { cause?: unknown }).cause as { code?: unknown } | undefined)?.code;

function reasonOf({ protocol, hostname, port }: URL, err: unknown): string {
  const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err;
  const { address, port: reached } = cause as { address?: string; port?: number };
  const host = address === undefined ? hostname : address.includes(":") ? `[${address}]` : address;
  return dialText(
    {
      hostname: hostname.replace(/^\[|\]$/g, ""),
      address: `${host}:${reached ?? (port || (protocol === "https:" ? "443" : "80"))}`,
    },
    cause,
  );
}

/** A bundle may hold the server's own certificate, as that of controller-runtime's envtest does: Go takes any trusted certificate for a root. */
const tlsOf = ({ certificateAuthority, clientCertificate, clientKey, insecure, serverName }: ClientConfig) => ({
  ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority, allowPartialTrustChain: true }),
  ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
  ...(clientKey === undefined ? {} : { key: clientKey }),
  ...(serverName === undefined ? {} : { servername: serverName }),
  rejectUnauthorized: !insecure,
});

function credentialsOf({ token, basic }: ClientConfig): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return basic
    ? { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString("base64")}` }
    : {};
}
