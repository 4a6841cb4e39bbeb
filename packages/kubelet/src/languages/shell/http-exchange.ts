import { type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { during } from "@coxswain/runtime/activity";
import { charge, pace, type ShellProcess } from "./shell-process.js";
import { unlessAborted } from "./streams.js";

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  /** By which certificates a server is known, in PEM; undefined: none are looked at. An empty text trusts nobody. */
  readonly authorities?: string | undefined;
}

export type HttpOutcome =
  | { readonly kind: "answered"; readonly address: string; readonly answer: IncomingMessage }
  /** `tls`: only plain HTTP is supported there. `untrusted`: its certificate is not. `broken`: what answered does not speak HTTP. */
  | { readonly kind: HttpFailure; readonly address: string };
type HttpFailure = "missing" | "refused" | "unreachable" | "outside" | "tls" | "untrusted" | "broken";

/** Sends one request over the container's network. Programs that get an answer got it from a simulated one. */
export async function exchangeHttp(process: ShellProcess, wanted: HttpRequest): Promise<HttpOutcome> {
  const { session, runtime } = process;
  session.signal.throwIfAborted();
  charge(process, 4096);
  return unlessAborted(
    during(runtime.activity, () => exchange(process, wanted)),
    session.signal,
  );
}

async function exchange(process: ShellProcess, wanted: HttpRequest): Promise<HttpOutcome> {
  const { network } = process.container;
  const hostname = wanted.url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(hostname) ? undefined : await network.lookup(hostname, "A");
  if (found && found.kind !== "found") return { kind: found.kind, address: hostname };
  const address = found?.data[0] ?? hostname;
  const isTls = wanted.url.protocol === "https:";
  const made = await network.connect(address, Number(wanted.url.port || (isTls ? 443 : 80)));
  if (made.kind !== "connected") return { kind: made.kind, address };
  process.session.signal.addEventListener("abort", () => made.stream.destroy(), { once: true });
  if (!made.isTlsServer) process.onSimulated?.();
  if (isTls && !made.isTlsServer) {
    made.stream.destroy();
    return { kind: "tls", address };
  }
  const stream = isTls ? await secure(wanted, made.stream) : made.stream;
  const answer = stream && (await send(wanted, stream));
  return answer ? { kind: "answered", address, answer } : { kind: stream ? "broken" : "untrusted", address };
}

/** Undefined: the server's certificate is not to be trusted. */
const secure = ({ url, authorities }: HttpRequest, socket: Duplex): Promise<Duplex | undefined> =>
  new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ca: authorities ?? "",
      rejectUnauthorized: authorities !== undefined,
      ALPNProtocols: ["http/1.1"],
    });
    secured.once("secureConnect", () => resolve(secured));
    secured.once("error", () => resolve(undefined));
  });

/** Undefined: the connection ended without an answer. */
const send = ({ url, method, headers, body }: HttpRequest, stream: Duplex): Promise<IncomingMessage | undefined> =>
  new Promise((resolve) => {
    const sent = request({
      host: url.hostname,
      port: url.port || 80,
      path: url.pathname + url.search,
      method,
      headers: headers.flat(),
      createConnection: () => stream,
    });
    sent.once("response", resolve);
    sent.once("error", () => resolve(undefined));
    stream.once("close", () => resolve(undefined)); // also before the request listens
    sent.end(body);
  });

/** Reads an answer's body piece by piece. A body that breaks off ends there. */
export async function readBody(
  process: ShellProcess,
  answer: IncomingMessage,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const chunks = answer.iterator() as AsyncIterableIterator<Uint8Array>;
  const { activity } = process.runtime;
  for (;;) {
    const next = chunks.next().catch(() => ({ done: true, value: undefined }) as const);
    const { done, value } = await unlessAborted(
      during(activity, () => next),
      process.session.signal,
    );
    if (done) return;
    charge(process, value.length * 4);
    take(value);
    await pace(process);
  }
}
