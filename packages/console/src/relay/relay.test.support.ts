import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { TransportRequest } from "@coxswain/client";
import { encodeFrame, encodeJsonFrame, type FrameKind, frameKind, type OpenFrame } from "@coxswain/client/socket";
import { testRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createWebSocket, type WebSocketConnection } from "@coxswain/wire/websocket";
import { type Guard, guardsOf } from "./guards/index.js";
import type { PodPortOptions } from "./pod-port.js";
import { startRelay } from "./serve-relay.js";

/** An API server that notes what reaches it, and answers everything with a long text. */
export function notingUpstream(answer = "x".repeat(1000)) {
  const seen: TransportRequest[] = [];
  return {
    seen,
    async send(request: TransportRequest) {
      seen.push(request);
      return {
        status: 200,
        header: (name: string) => (name === "set-cookie" ? "a=b" : undefined),
        warnings: [],
        value: async () => answer,
        bytes: async () => Buffer.from(answer),
        async *stream() {
          yield Buffer.from(answer);
        },
      };
    },
    watch: () => Promise.reject(new Error("the relay watches nothing itself")),
    openDedicated: () => Promise.reject(new Error("refused by the test's server")),
    close: async () => {},
  };
}

/** A relay of a test; without the guards of these names. Only a test can build such a one. */
export async function relayWithout(names: readonly string[], { readOnly = false, answer = "", hasClock = false } = {}) {
  const clock = { moved: 0, now: () => 0, advance: async (ms: number) => void (clock.moved += ms) };
  const ports: (PodPortOptions & { closed: Promise<void> })[] = [];
  const runtime = testRuntime(1);
  const upstream = notingUpstream(answer === "" ? undefined : answer);
  const guards: readonly Guard[] = guardsOf({ loopbackOnly: true }).filter(({ name }) => !names.includes(name));
  const relay = await startRelay(
    { ...runtime, ioClock: runtime.clock },
    {
      upstream,
      assets: new Map([["/", { bytes: Buffer.from("<body data-nonce={{nonce}}>page"), type: "text/html" }]]),
      facts: { cluster: "test", readOnly, hasClock },
      clock: hasClock ? clock : undefined,
      async openPodPort(_, options) {
        let close = (): void => {};
        const closed = new Promise<void>((resolve) => (close = resolve));
        ports.push({ ...options, closed });
        return { connect: async () => new PassThrough(), close, closed };
      },
      host: "127.0.0.1",
      port: 0,
      names: [],
      tls: undefined,
      guards,
    },
  );
  return { ...relay, runtime, upstream, clock, ports, host: `127.0.0.1:${relay.port}` };
}

export type TestRelay = Awaited<ReturnType<typeof relayWithout>>;

/** Sends raw bytes and reads until the other side closes, or is silent for a while after it answered. */
export async function raw({ port }: TestRelay, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    if (received.includes("\r\n\r\n")) setTimeout(() => socket.destroy(), 30);
  });
  socket.on("error", () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), 2000);
  await once(socket, "close");
  clearTimeout(timer);
  return received;
}

export const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);

/** A request as a browser of the page itself sends it, with some headers changed (undefined: left out). */
export function request(
  relay: TestRelay,
  line: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  body = "",
): string {
  const all: Record<string, string | undefined> = {
    Host: relay.host,
    Origin: `http://${relay.host}`,
    "Sec-Fetch-Site": "same-origin",
    ...(body !== "" && { "Content-Type": "application/json", "Content-Length": String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export const upgradeHeaders = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol": "coxswain.console.v1",
};

export const codeOf = (relay: TestRelay): string => relay.createLink().split("#c=")[1] ?? "";

export async function exchange(
  relay: TestRelay,
  code: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  return raw(relay, request(relay, "POST /session", { Connection: "close", ...headers }, JSON.stringify({ code })));
}

/** What a WebSocket of a page received, and how it ended. */
export interface TestSocket {
  readonly websocket: WebSocketConnection;
  readonly messages: Buffer[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Waits until `count` messages have come, or the socket is closed. */
  received(count: number): Promise<readonly Buffer[]>;
}

export async function openSocket(relay: TestRelay, hello?: string): Promise<TestSocket> {
  const socket: Socket = connect(relay.port, "127.0.0.1");
  socket.write(request(relay, "GET /relay", upgradeHeaders));
  const [head] = (await once(socket, "data")) as [Buffer];
  if (!head.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(head.toString("latin1"));
  const rest = head.subarray(head.indexOf("\r\n\r\n") + 4);
  const websocket = createWebSocket(socket, {
    role: "client",
    protocol: "",
    head: rest,
    random: systemRandom,
    clock: systemClock,
  });
  const messages: Buffer[] = [];
  let wake: () => void = () => {};
  const state = { isClosed: false };
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    websocket.listen({
      onMessage(data) {
        messages.push(Buffer.from(data));
        wake();
      },
      onClose(how) {
        state.isClosed = true;
        resolve(how);
        wake();
      },
    }),
  );
  const received = async (count: number): Promise<readonly Buffer[]> => {
    while (messages.length < count && !state.isClosed) await new Promise<void>((resolve) => (wake = resolve));
    return messages;
  };
  const key =
    hello ?? (JSON.parse((await exchange(relay, codeOf(relay))).split("\r\n\r\n")[1] ?? "{}") as { key: string }).key;
  websocket.send(key);
  if (hello === undefined) await received(1);
  return { websocket, messages, closed, received };
}

export const openFrame = (stream: number, open: Partial<OpenFrame>): Uint8Array =>
  encodeJsonFrame(frameKind.open, stream, {
    method: "GET",
    target: "/api/v1/pods",
    headers: [],
    hasBody: false,
    ...open,
  });

export const dataFrame = (stream: number, bytes: number): Uint8Array =>
  encodeFrame(frameKind.data, stream, Buffer.alloc(bytes));

export const frame = (kind: number, stream: number, payload = ""): Uint8Array =>
  encodeFrame(kind as FrameKind, stream, Buffer.from(payload));
