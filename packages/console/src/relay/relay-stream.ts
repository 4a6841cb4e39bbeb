import { isStatusError } from "@coxswain/apimachinery/status";
import { isTransportError, type TransportRequest, type TransportResponse } from "@coxswain/client";
import type { NodeTransport } from "@coxswain/client/node";
import { openWebSocket } from "@coxswain/client/node";
import {
  decodeJsonFrame,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  frameKind,
  initialCredit,
  maxPayloadBytes,
  type OpenFrame,
  type ResetFrame,
} from "@coxswain/client/socket";
import type { WebSocketConnection } from "@coxswain/wire/websocket";
import { forwardPort } from "./forward-port.js";
import { firstRefusal, type Guard } from "./guards/index.js";
import { type OwnRequest, ownRequestOf } from "./own-request.js";
import type { OpenPodPort } from "./pod-port.js";

/** The way to the cluster, with the credentials of the kubeconfig. */
export type Upstream = NodeTransport;

/** The clock of a test's cluster: it stands still until somebody lets time pass. */
export interface ConsoleClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when what the time brought about is done. */
  advance(ms: number): Promise<void>;
}

export interface RelayStreamOptions {
  readonly upstream: Upstream;
  readonly guards: readonly Guard[];
  readonly readOnly: boolean;
  /** Ports that the session has open, this stream's among them. */
  readonly forwards: Set<RelayStream>;
  readonly openPodPort: OpenPodPort;
  readonly clock: ConsoleClock | undefined;
  /** Resolves when the socket takes more. */
  send(message: Uint8Array): Promise<void>;
  /** So many more bytes (or fewer) are held for this session. */
  hold(bytes: number): void;
}

/** One request of a page on its way to the API server, and its answer on the way back. */
export class RelayStream {
  readonly id: number;
  readonly #options: RelayStreamOptions;
  readonly #ending = new AbortController();
  #body: Uint8Array[] = [];
  #bodyBytes = 0;
  #bodyDone: (() => void) | undefined;
  #credit = initialCredit;
  #onCredit: (() => void) | undefined;
  #upgraded: WebSocketConnection | undefined;
  #isUpgrade = false;

  constructor(id: number, options: RelayStreamOptions) {
    this.id = id;
    this.#options = options;
  }

  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  get credit(): number {
    return this.#credit;
  }

  /** Its data are messages, passed on at once. */
  get isUpgraded(): boolean {
    return this.#isUpgrade;
  }

  receiveData(payload: Uint8Array): void {
    if (this.#isUpgrade) {
      this.#upgraded?.send(payload);
      return;
    }
    this.#bodyBytes += payload.length;
    this.#options.hold(payload.length);
    this.#body.push(payload);
  }

  receiveEnd(): void {
    if (this.#isUpgrade) this.#upgraded?.close();
    this.#bodyDone?.();
    this.#bodyDone = () => {};
  }

  addCredit(bytes: number): void {
    this.#credit += bytes;
    this.#onCredit?.();
    this.#onCredit = undefined;
  }

  cancel(): void {
    this.#ending.abort();
    this.#upgraded?.destroy();
    this.#onCredit?.();
    this.#bodyDone?.();
  }

  /** Never rejects: whatever happens is reported to the page. */
  async run(frame: Frame): Promise<void> {
    try {
      const open = openFrameOf(frame);
      const segments = open && segmentsOf(open.target);
      if (!open) return await this.#reset({ kind: "refused", message: "a request cannot be read", neverSent: true });
      const { readOnly, forwards, clock } = this.#options;
      const facts = { open, segments, readOnly, forwards: forwards.size, hasClock: clock !== undefined };
      const refusal = firstRefusal(this.#options.guards, "open", facts);
      if (refusal) return await this.#refuse(refusal.status, refusal.message);
      const own = ownRequestOf(open, segments ?? []);
      if (own) await this.#doOwn(own, open);
      else if (open.upgrade) await this.#relayUpgrade(open, open.upgrade);
      else await this.#relayRequest(open);
    } catch (error) {
      if (!this.#ending.signal.aborted) await this.#reset(resetOf(error));
    } finally {
      this.#options.hold(-this.#bodyBytes);
    }
  }

  async #doOwn(own: OwnRequest, open: OpenFrame): Promise<void> {
    if (own.kind === "forward") return this.#forward(own, open);
    const { clock } = this.#options;
    if (own.advanceMs > 0) await clock?.advance(own.advanceMs);
    await this.#answer(200, { now: clock?.now() ?? 0 });
  }

  /** Lasts as long as the stream: a tab that is closed leaves no port behind. */
  async #forward(own: Extract<OwnRequest, { kind: "forward" }>, open: OpenFrame): Promise<void> {
    const { forwards, guards, upstream } = this.#options;
    forwards.add(this);
    try {
      const headers = open.headers.filter(([name]) => name.startsWith("impersonate-"));
      const { signal } = this.#ending;
      const podPort = await this.#options.openPodPort(upstream, { ...own, headers, signal });
      await this.#sendHead(200);
      const line = (state: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(state)}\n`);
      await forwardPort(podPort, {
        guards,
        signal,
        onState: (state) => void this.#options.send(encodeFrame(frameKind.data, this.id, line(state))),
      });
      if (!signal.aborted) await this.#options.send(encodeFrame(frameKind.end, this.id));
    } catch (error) {
      if (!isStatusError(error)) throw error;
      await this.#answer(error.status.code ?? 500, error.status);
    } finally {
      forwards.delete(this);
    }
  }

  #sendHead(status: number): Promise<void> {
    const headers = [["content-type", "application/json"]];
    return this.#options.send(encodeJsonFrame(frameKind.head, this.id, { status, headers }));
  }

  async #relayRequest(open: OpenFrame): Promise<void> {
    if (open.hasBody && !this.#bodyDone) await new Promise<void>((resolve) => (this.#bodyDone = resolve));
    const response = await this.#options.upstream.send(this.#requestOf(open));
    const headers = passedHeaders.flatMap((name): [string, string][] => {
      const value = response.header(name);
      return value === undefined ? [] : [[name, value]];
    });
    await this.#options.send(encodeJsonFrame(frameKind.head, this.id, { status: response.status, headers }));
    await this.#sendBody(response);
  }

  async #sendBody(response: TransportResponse): Promise<void> {
    for await (const chunk of response.stream()) {
      for (let at = 0; at < chunk.length; at += maxPayloadBytes) {
        const piece = chunk.subarray(at, at + maxPayloadBytes);
        while (this.#credit <= 0 && !this.#ending.signal.aborted)
          await new Promise<void>((resolve) => (this.#onCredit = resolve));
        if (this.#ending.signal.aborted) return;
        this.#credit -= piece.length;
        await this.#options.send(encodeFrame(frameKind.data, this.id, piece));
      }
    }
    await this.#options.send(encodeFrame(frameKind.end, this.id));
  }

  async #relayUpgrade(open: OpenFrame, protocols: readonly string[]): Promise<void> {
    this.#isUpgrade = true;
    const { path, query } = partsOf(open.target);
    const upgraded = await openWebSocket(this.#options.upstream, {
      path,
      query,
      protocols,
      headers: open.headers.filter(([name]) => name.startsWith("impersonate-")),
      signal: this.#ending.signal,
    });
    this.#upgraded = upgraded;
    const { protocol } = upgraded;
    await this.#options.send(encodeJsonFrame(frameKind.head, this.id, { status: 101, headers: [], protocol }));
    await new Promise<void>((resolve) =>
      upgraded.listen({
        onMessage: (data) => void this.#passOn(upgraded, data),
        onClose: () => resolve(),
      }),
    );
    if (!this.#ending.signal.aborted) await this.#options.send(encodeFrame(frameKind.end, this.id));
  }

  /** Messages stay whole; one that there is no credit for waits, and the container with it. */
  async #passOn(upgraded: WebSocketConnection, data: Uint8Array): Promise<void> {
    this.#credit -= data.length;
    const sent = this.#options.send(encodeFrame(frameKind.data, this.id, data));
    if (this.#credit > 0) return;
    upgraded.pause();
    await sent;
    while (this.#credit <= 0 && !this.#ending.signal.aborted)
      await new Promise<void>((resolve) => (this.#onCredit = resolve));
    upgraded.resume();
  }

  #requestOf(open: OpenFrame): TransportRequest {
    const { path, query } = partsOf(open.target);
    const headers = Object.fromEntries(open.headers.filter(([name]) => name !== "content-type"));
    const contentType = open.headers.find(([name]) => name === "content-type")?.[1] ?? "application/json";
    return {
      method: open.method as TransportRequest["method"],
      path,
      query,
      headers,
      ...(open.hasBody && { body: { as: "bytes" as const, bytes: Buffer.concat(this.#body), contentType } }),
      signal: this.#ending.signal,
    };
  }

  /** As the API server would answer, so that a page needs one way to show it. */
  #refuse(code: number, message: string): Promise<void> {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
    return this.#answer(code, { ...status, message, reason: "Forbidden", code });
  }

  async #answer(status: number, value: unknown): Promise<void> {
    await this.#sendHead(status);
    await this.#options.send(encodeJsonFrame(frameKind.data, this.id, value));
    await this.#options.send(encodeFrame(frameKind.end, this.id));
  }

  #reset(reset: ResetFrame): Promise<void> {
    return this.#options.send(encodeJsonFrame(frameKind.reset, this.id, reset));
  }
}

/** What a page needs of an answer. Cookies and challenges stay here. */
const passedHeaders = ["content-type", "warning", "retry-after", "audit-id"];

function resetOf(error: unknown): ResetFrame {
  if (isTransportError(error)) return { kind: error.kind, message: error.message, neverSent: error.neverSent };
  return {
    kind: isStatusError(error) ? "refused" : "lost",
    message: (error as Error).message,
    neverSent: isStatusError(error),
  };
}

/** Undefined for what no page of ours sends. */
function openFrameOf(frame: Frame): OpenFrame | undefined {
  try {
    const open = decodeJsonFrame(frame) as Partial<OpenFrame> | null;
    const isPairs = (value: unknown): boolean =>
      Array.isArray(value) &&
      value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string"));
    const isNames = (value: unknown): boolean =>
      value === undefined || (Array.isArray(value) && value.every((part) => typeof part === "string"));
    if (typeof open?.method !== "string" || typeof open.target !== "string" || typeof open.hasBody !== "boolean")
      return undefined;
    return isPairs(open.headers) && isNames(open.upgrade) ? (open as OpenFrame) : undefined;
  } catch {
    return undefined; // no JSON
  }
}

/** The decoded segments of a target's path; undefined where they cannot be decoded. */
export function segmentsOf(target: string): readonly string[] | undefined {
  try {
    return partsOf(target).path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function partsOf(target: string): { readonly path: string; readonly query: [string, string][] } {
  const at = target.indexOf("?");
  if (at < 0) return { path: target, query: [] };
  return { path: target.slice(0, at), query: [...new URLSearchParams(target.slice(at + 1))] };
}
