import { describe, expect, it } from "vitest";
import { eachEvent, type WatchEvent, watchBytes } from "./index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const frame = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
const pod = (name: string) => ({ kind: "Pod", metadata: { name } });

function open(signal?: AbortSignal) {
  const calls: string[] = [];
  let over = 0;
  const source = {
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    cancel: () => void calls.push("cancel"),
  };
  return { ...watchBytes(source, { signal, onOver: () => over++ }), calls, over: () => over };
}

async function readAll(
  stream: AsyncIterable<readonly WatchEvent[]>,
): Promise<{ events: WatchEvent[]; error?: unknown }> {
  const events: WatchEvent[] = [];
  try {
    for await (const batch of stream) events.push(...batch);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

describe("a watch over bytes", () => {
  it("reads frames that are cut anywhere, also inside a character", async () => {
    const text = bytes(frame("ADDED", pod("zoë")) + frame("DELETED", pod("b")));
    for (let size = 1; size < 40; size += 3) {
      const { stream, sink } = open();
      for (let at = 0; at < text.length; at += size) sink.data(text.subarray(at, at + size));
      sink.end();
      expect((await readAll(stream)).events).toEqual([
        { type: "ADDED", object: pod("zoë") },
        { type: "DELETED", object: pod("b") },
      ]);
    }
  });
  it("bookmarks carry the watch's resourceVersion, and when the initial events have ended", async () => {
    const { stream, sink } = open();
    const metadata = { resourceVersion: "8", annotations: { "k8s.io/initial-events-end": "true" } };
    sink.data(bytes(frame("BOOKMARK", { metadata: { resourceVersion: "7" } }) + frame("BOOKMARK", { metadata })));
    sink.end();
    expect((await readAll(stream)).events).toEqual([
      { type: "BOOKMARK", resourceVersion: "7", initialEventsEnd: false },
      { type: "BOOKMARK", resourceVersion: "8", initialEventsEnd: true },
    ]);
  });
  it("an error of the server is an event with a StatusError", async () => {
    const { stream, sink } = open();
    sink.data(
      bytes(
        frame("ERROR", {
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          reason: "Expired",
          code: 410,
          message: "too old",
        }),
      ),
    );
    sink.end();
    expect((await readAll(stream)).events).toMatchObject([
      { type: "ERROR", error: { status: { code: 410, reason: "Expired" } } },
    ]);
  });
  it("integers beyond 2^53 are exact", async () => {
    const { stream, sink } = open();
    sink.data(bytes('{"type":"ADDED","object":{"big":9007199254740993}}\n'));
    sink.end();
    expect((await readAll(stream)).events).toEqual([{ type: "ADDED", object: { big: 9007199254740993n } }]);
  });

  const broken = [
    { name: "a frame that is no JSON", text: "<html>proxy error</html>\n", message: "is no JSON" },
    { name: "a frame without an object", text: '{"type":"ADDED"}\n', message: "has no object" },
    { name: "a frame of an unknown type", text: '{"type":"RENAMED","object":{}}\n', message: "unknown type" },
  ];
  for (const { name, text, message } of broken)
    it(`${name} ends the watch with an error, after the events before it`, async () => {
      const { stream, sink, calls, over } = open();
      sink.data(bytes(frame("ADDED", pod("a")) + text + frame("ADDED", pod("b"))));
      sink.data(bytes(frame("ADDED", pod("c"))));
      const { events, error } = await readAll(stream);
      expect(events).toEqual([{ type: "ADDED", object: pod("a") }]);
      expect(error).toMatchObject({ name: "TransportError", kind: "malformed" });
      expect((error as Error).message).toContain(message);
      expect([calls, over()]).toEqual([["cancel"], 1]);
    });
  it("a connection that ends inside a frame is an error", async () => {
    const { stream, sink } = open();
    sink.data(bytes('{"type":"ADDED","obj'));
    sink.end();
    expect((await readAll(stream)).error).toMatchObject({ kind: "lost", message: "the watch ended inside a frame" });
  });
  it("a slow reader pauses the source and resumes it", async () => {
    const { stream, sink, calls } = open();
    sink.data(bytes(frame("ADDED", pod("a")).repeat(1001)));
    expect(calls).toEqual(["pause"]);
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toHaveLength(1001);
    expect(calls).toEqual(["pause", "resume"]);
  });
  it("leaving the loop cancels the source, and stopping twice does nothing more", async () => {
    const { stream, sink, calls, over } = open();
    sink.data(bytes(frame("ADDED", pod("a")).repeat(2)));
    for await (const event of eachEvent(stream)) {
      expect(event.type).toBe("ADDED");
      break;
    }
    stream.stop();
    expect([calls, over()]).toEqual([["cancel"], 1]);
  });
  it("aborting ends the iteration without an error, also while somebody waits", async () => {
    const ending = new AbortController();
    const { stream, calls } = open(ending.signal);
    const reading = readAll(stream);
    ending.abort();
    expect(await reading).toEqual({ events: [] });
    expect(calls).toEqual(["cancel"]);
  });
});
