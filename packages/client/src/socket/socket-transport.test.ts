import { describe, expect, it } from "vitest";
import { eachEvent } from "../watch/index.js";
import {
  createSocketTransport,
  decodeCredit,
  decodeFrame,
  decodeJsonFrame,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  type FrameKind,
  frameKind,
  initialCredit,
  type MessageSocket,
} from "./index.js";

/** A relay that the test answers for: what was sent to it, and a way to send back. */
function openRelay() {
  const frames: Frame[] = [];
  let events: Parameters<MessageSocket["listen"]>[0] | undefined;
  let connections = 0;
  const connect = async (): Promise<MessageSocket> => {
    connections++;
    return {
      send: (message) => void frames.push(decodeFrame(message) as Frame),
      close: () => events?.onClose(""),
      listen: (given) => void (events = given),
    };
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  return {
    frames,
    transport: createSocketTransport({ connect }),
    connections: () => connections,
    head: (stream: number, status = 200) =>
      events?.onMessage(
        encodeJsonFrame(frameKind.head, stream, { status, headers: [["content-type", "application/json"]] }),
      ),
    data: (stream: number, text: string) => events?.onMessage(encodeFrame(frameKind.data, stream, bytes(text))),
    send: (kind: FrameKind, stream: number, value?: unknown) =>
      events?.onMessage(value === undefined ? encodeFrame(kind, stream) : encodeJsonFrame(kind, stream, value)),
    lose: (reason: string) => events?.onClose(reason),
    /** Lets promises settle. */
    settle: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
  };
}

const get = (path: string) => ({ method: "GET" as const, path });

describe("requests over one WebSocket", () => {
  it("answers that are mixed reach their own requests", async () => {
    const relay = openRelay();
    const [first, second] = [relay.transport.send(get("/a")), relay.transport.send(get("/b"))];
    await relay.settle();
    expect(relay.frames.map((frame) => (decodeJsonFrame(frame) as { target: string }).target)).toEqual(["/a", "/b"]);
    relay.head(2);
    relay.head(1);
    relay.data(1, '{"a":');
    relay.data(2, '{"b":2}');
    relay.data(1, "1}");
    relay.send(frameKind.end, 1);
    relay.send(frameKind.end, 2);
    expect(await (await first).value()).toEqual({ a: 1 });
    expect(await (await second).value()).toEqual({ b: 2 });
    expect(relay.connections()).toBe(1);
  });

  it("a body is sent in frames of 256 KiB, and ends", async () => {
    const relay = openRelay();
    void relay.transport.send({
      method: "POST",
      path: "/a",
      body: { as: "bytes", bytes: new Uint8Array(600_000), contentType: "x/y" },
    });
    await relay.settle();
    expect(relay.frames.map(({ kind, payload }) => [kind, kind === frameKind.data ? payload.length : 0])).toEqual([
      [frameKind.open, 0],
      [frameKind.data, 262_144],
      [frameKind.data, 262_144],
      [frameKind.data, 75_712],
      [frameKind.end, 0],
    ]);
  });

  it("credit is given for what was read, and not for what waits", async () => {
    const relay = openRelay();
    const answer = relay.transport.send(get("/log"));
    await relay.settle();
    relay.head(1);
    const chunks = (await answer).stream()[Symbol.asyncIterator]();
    for (let count = 0; count < 4; count++) relay.data(1, "x".repeat(initialCredit / 4));
    await relay.settle();
    const credit = () =>
      relay.frames
        .filter(({ kind }) => kind === frameKind.credit)
        .reduce((sum, frame) => sum + (decodeCredit(frame) ?? 0), 0);
    expect(credit()).toBe(0);
    for (let count = 0; count < 3; count++) await chunks.next();
    expect(credit()).toBe(initialCredit / 2);
  });

  it("a reader that leaves, and a request that is aborted, reset their streams", async () => {
    const relay = openRelay();
    const ending = new AbortController();
    const aborted = relay.transport.send({ ...get("/a"), signal: ending.signal });
    const left = relay.transport.send(get("/b"));
    await relay.settle();
    relay.head(2);
    relay.data(2, "x");
    for await (const _ of (await left).stream()) break;
    ending.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect(relay.frames.filter(({ kind }) => kind === frameKind.reset).map(({ stream }) => stream)).toEqual([2, 1]);
  });

  it("a reset of the relay is the error that it names", async () => {
    const relay = openRelay();
    const answer = relay.transport.send(get("/a"));
    await relay.settle();
    relay.send(frameKind.reset, 1, { kind: "connect", message: "no route", neverSent: true });
    await expect(answer).rejects.toMatchObject({ kind: "connect", message: "no route", neverSent: true });
  });

  it("a lost connection fails what is under way, and the next request opens another", async () => {
    const relay = openRelay();
    const answer = relay.transport.send(get("/a"));
    await relay.settle();
    relay.lose("gone");
    await expect(answer).rejects.toMatchObject({ kind: "lost", message: "gone" });
    void relay.transport.send(get("/b"));
    await relay.settle();
    expect(relay.connections()).toBe(2);
  });

  it("a watch is read as events; a refusal is the server's Status", async () => {
    const relay = openRelay();
    const watching = relay.transport.watch(get("/pods"));
    await relay.settle();
    relay.head(1);
    relay.data(1, '{"type":"ADDED","object":{"a":1}}\n');
    for await (const event of eachEvent(await watching)) {
      expect(event).toEqual({ type: "ADDED", object: { a: 1 } });
      break;
    }
    const refused = relay.transport.watch(get("/secrets"));
    await relay.settle();
    relay.head(2, 403);
    relay.data(
      2,
      '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}',
    );
    relay.send(frameKind.end, 2);
    await expect(refused).rejects.toMatchObject({ status: { code: 403, reason: "Forbidden" } });
  });
});
