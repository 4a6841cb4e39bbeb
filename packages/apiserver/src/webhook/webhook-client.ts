import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { ClientConfig } from "@coxswain/component/kubeconfig";
import type { Runtime } from "@coxswain/runtime";
import { retry } from "@coxswain/runtime/backoff";
import { type HttpAddress, type HttpAnswer, HttpClient, type HttpClientTls, HttpFailure } from "@coxswain/wire/http";
import { connectError, type Network } from "../network/network.js";
import { type CertificateMetrics, checkIdentity, isWeakDigest } from "./certificate-metrics.js";
import { dialText } from "./dial-text.js";
import type { ServiceAddress } from "./service-resolver.js";
import { type ExpectedAnswer, isPassing, type RawAnswer, readAnswer, refusalText } from "./webhook-answer.js";

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
  readonly runtime: Runtime;
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
  readonly certificates?: CertificateMetrics;
  /** Called for every try. */
  readonly onTry?: (outcome: WebhookOutcome, ms: number) => void;
}

/** How one try went, as upstream's metrics call it (k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go, ObserveWebhook). */
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
const maxBytes = 3 * 1024 * 1024;
/** As upstream's (k8s.io/apiserver/pkg/util/webhook/webhook.go, DefaultRetryBackoffWithInitialDelay): five tries, each wait half as long again as the one before. */
const waits = { factor: 1.5, jitter: 0.2, steps: 5 };

export function createWebhookClient(config: ClientConfig, options: WebhookOptions): WebhookClient {
  const { runtime, initialBackoffMs = 500, isRetriable = isTransient } = options;
  const { ioClock, random } = runtime;
  const service = new AskedService(config, options);
  return {
    post(body, signal, call = {}) {
      const written = typeof body === "string" ? body : JSON.stringify(body);
      return retry(() => service.ask(written, signal, call), {
        backoff: { initialMs: initialBackoffMs, random, ...waits },
        clock: ioClock,
        ...(signal && { signal }),
        isRetriable: (err) => err instanceof WebhookError && signal?.aborted !== true && isRetriable(err),
      });
    },
    closeIdle: () => service.http.closeIdle(),
    stop: () => service.http.stop(),
  };
}

/** One try after the other. */
class AskedService {
  readonly http: HttpClient;
  readonly #options: WebhookOptions;
  readonly #server: URL;
  /** With the port that was given, even where it is the scheme's own: errors show it. */
  readonly #authority: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(config: ClientConfig, options: WebhookOptions) {
    this.#options = options;
    this.#server = new URL(config.server);
    this.#authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(config.server)?.[1] ?? this.#server.host;
    this.http = new HttpClient({
      ioClock: options.runtime.ioClock,
      keepAlive: true,
      tls: { ...tlsOf(config), checkServerIdentity: checkIdentity(options.certificates) },
      ...((options.dial || options.network) && { dial: dialFor(options) }),
    });
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json, */*",
      "user-agent": options.userAgent ?? "coxswain",
      // No credentials where everybody can read them.
      ...(this.#server.protocol === "https:" ? credentialsOf(config) : {}),
    };
  }

  async ask(body: string, signal: AbortSignal | undefined, call: WebhookCall): Promise<unknown> {
    const { runtime, certificates, onTry, timeoutMs: usualMs = 30_000 } = this.#options;
    const { ioClock } = runtime;
    const timeoutMs = call.timeoutMs ?? usualMs;
    const url = this.#urlFor(timeoutMs);
    const began = ioClock.monotonic();
    let outcome: WebhookOutcome = "error";
    try {
      const answer = await this.http.exchange({ url, headers: this.#headers, body, timeoutMs, maxBytes, signal });
      const taken = this.#take(rawAnswer(answer), call);
      outcome = "success";
      return taken;
    } catch (err) {
      const isLate = isFailure(err, "timeout");
      if (signal?.aborted) outcome = "canceled";
      else if (isLate || (err instanceof WebhookError && err.code === 504)) outcome = "timeout";
      if (isWeakDigest(err)) certificates?.weakDigest();
      throw this.#failureOf(err, url, call);
    } finally {
      onTry?.(outcome, ioClock.monotonic() - began);
    }
  }

  /** Services receive their timeout in the query; other parameters of a kubeconfig's URL are dropped, as upstream does (k8s.io/client-go/rest/client.go, NewRESTClient). */
  #urlFor(ms: number): string {
    return `${this.#server.protocol}//${this.#authority}${this.#server.pathname}?timeout=${formatDurationMs(ms)}`;
  }

  #take(answer: RawAnswer, { read }: WebhookCall): unknown {
    const { ignoresAnswer = false, expects } = this.#options;
    const { code } = answer;
    // As upstream's client has it (k8s.io/client-go/rest/request.go, transformResponse): 206 is the last code that counts.
    if (code < 200 || code > 206) throw new WebhookError(refusalText(answer), { code, mayPass: isPassing(answer) });
    if (ignoresAnswer) return undefined;
    try {
      return read ? read(answer) : readAnswer(answer, expects);
    } catch (err) {
      throw new WebhookError((err as Error).message, { code, cause: err });
    }
  }

  #failureOf(err: unknown, url: string, call: WebhookCall): WebhookError {
    if (err instanceof WebhookError) return err;
    if (isFailure(err, "tooLong")) return new WebhookError("the answer is too long", { cause: err });
    if (isFailure(err, "brokenBody")) return brokenBody(err);
    const late = call.timeoutText ?? this.#options.timeoutText ?? usualTimeoutText;
    const why = isFailure(err, "timeout") ? late : reasonOf(this.#server, err);
    return new WebhookError(`Post ${JSON.stringify(url)}: ${why}`, { cause: err, mayPass: isReset(err) });
  }
}

const usualTimeoutText = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

const isFailure = (err: unknown, kind: HttpFailure["kind"]): boolean => err instanceof HttpFailure && err.kind === kind;

const rawAnswer = ({ code, headers, body }: HttpAnswer): RawAnswer => ({
  code,
  contentType: headers["content-type"] ?? "",
  retryAfter: headers["retry-after"] ?? "",
  body: body.toString("utf8"),
});

/** Where an address is of the simulated network nothing is dialled: nothing there serves webhooks. */
const dialFor =
  ({ dial, network }: Pick<WebhookOptions, "dial" | "network">) =>
  async (host: string, port: number): Promise<HttpAddress> => {
    const to = dial ? await dial() : { hostname: host, port };
    if (network?.owns(to.hostname)) throw connectError("ECONNREFUSED", to.hostname, to.port);
    return { host: to.hostname, port: to.port, ...(network && { lookup: network.lookup }) };
  };

const brokenBody = (cause: unknown): WebhookError =>
  new WebhookError("unexpected error when reading response body. Please retry. Original error: unexpected EOF", {
    cause,
    mayPass: isReset(cause),
  });

const isTransient = ({ mayPass }: WebhookError): boolean => mayPass;

/** The connection was reset, at whatever step. */
const isReset = (err: unknown): boolean =>
  (err as { code?: unknown }).code === "ECONNRESET" ||
  (err instanceof Error && err.cause !== undefined && isReset(err.cause));

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

const tlsOf = (config: ClientConfig): HttpClientTls => ({
  authority: config.certificateAuthority,
  certificate: config.clientCertificate,
  key: config.clientKey,
  serverName: config.serverName,
  insecure: config.insecure,
});

function credentialsOf({ token, basic }: ClientConfig): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return basic
    ? { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString("base64")}` }
    : {};
}
