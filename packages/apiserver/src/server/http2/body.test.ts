import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isStatusError } from "@coxswain/apimachinery/status";
import { noActivity } from "@coxswain/runtime/activity";
import { systemClock } from "@coxswain/runtime/clock";
import { measuredTime, TaskScheduler } from "@coxswain/runtime/scheduler";
import { ServerSession, type ServerStream } from "@coxswain/wire/http2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { roomForAll } from "../../request/request.js";
import { openHttp2Body, readHttp2Body } from "./body.js";

describe("a body of HTTP/2", () => {
  let server: Server;
  let client: ClientHttp2Session;
  let onRequest: (stream: ServerStream) => void;
  beforeEach(async () => {
    const scheduler = new TaskScheduler({ time: measuredTime(systemClock), activity: noActivity });
    server = createServer(
      (socket) =>
        void new ServerSession(socket, {
          maxStreams: 100,
          clock: systemClock,
          scheduler,
          onRequest: (stream) => onRequest(stream),
          onRefused() {},
          onClose() {},
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.on("error", () => {});
  });
  afterEach(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Posts, and resolves to what the server makes of the request. */
  const post = <T>(take: (stream: ServerStream) => T, send: (request: ClientHttp2Stream) => void): Promise<T> =>
    new Promise((resolve) => {
      onRequest = (stream) => resolve(take(stream));
      const request = client.request({ ":method": "POST", ":path": "/" });
      request.on("error", () => {});
      send(request);
    });
  const long = Buffer.alloc(3_000_000, "abcdefg");

  it("is read whole", async () => {
    expect(
      long.equals(
        await post(
          (stream) => readHttp2Body(stream, long.length, roomForAll),
          (request) => request.end(long),
        ),
      ),
    ).toBe(true);
    expect(
      (
        await post(
          (stream) => readHttp2Body(stream, 10, roomForAll),
          (request) => request.end(),
        )
      ).length,
    ).toBe(0);
  });

  it("is there at once when all of it has come", async () => {
    const body = await post(
      async (stream) => {
        while (!stream.hasReceivedEnd) await new Promise((resolve) => setImmediate(resolve));
        return { read: readHttp2Body(stream, 10, roomForAll) };
      },
      (request) => request.end("{}"),
    );
    expect(String(body.read)).toBe("{}");
  });

  it("is refused as soon as it is too long", async () => {
    const error = await post(
      (stream) => Promise.resolve(readHttp2Body(stream, 1000, roomForAll)).catch((err: unknown) => err),
      (request) => request.write(long),
    );
    expect(isStatusError(error) && error.status.code).toBe(413);
  });

  describe("that needs room for more than comes free", () => {
    const limited = { limit: long.length, freeBytes: 100_000 };
    const rows = [
      { name: "asks once", more: () => undefined, asked: 1, outcome: long.length },
      { name: "waits for room that comes later", more: () => Promise.resolve(), asked: 1, outcome: long.length },
      { name: "is refused with the room", more: () => Promise.reject(new Error("no")), asked: 1, outcome: "no" },
    ];
    for (const { name, more, asked, outcome } of rows)
      it(name, async () => {
        let calls = 0;
        const room = { freeBytes: limited.freeBytes, more: () => (calls++, more()) };
        const read = await post(
          (stream) =>
            Promise.resolve(readHttp2Body(stream, limited.limit, room)).then(
              (bytes) => bytes.length,
              (err: Error) => err.message,
            ),
          (request) => request.end(long),
        );
        expect([read, calls]).toEqual([outcome, asked]);
      });

    it("is not credited until there is room: its client stops at the window", async () => {
      let grant = (): void => {};
      let received = 0;
      const read = await post(
        (stream) => {
          const credited = stream.credit.bind(stream);
          stream.credit = (bytes) => ((received += bytes), credited(bytes));
          const room = { freeBytes: 0, more: () => new Promise<void>((resolve) => (grant = resolve)) };
          return { bytes: Promise.resolve(readHttp2Body(stream, long.length, room)) };
        },
        (request) => request.end(long),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(received).toBe(0);
      grant();
      expect(long.equals(await read.bytes)).toBe(true);
    });
  });

  it("is a mistake of the client's when it never ends", async () => {
    const error = await post(
      (stream) => Promise.resolve(readHttp2Body(stream, 1000, roomForAll)).catch((err: unknown) => err),
      (request) => {
        request.write("{");
        setTimeout(() => request.destroy(), 50);
      },
    );
    expect(isStatusError(error) && error.status.code).toBe(400);
  });

  it("is handed on as it comes", async () => {
    expect(
      long.equals(
        await post(
          (stream) => buffer(openHttp2Body(stream)),
          (request) => request.end(long),
        ),
      ),
    ).toBe(true);
  });

  it("waits at its client while nobody takes it", async () => {
    let sent = 0;
    const body = await post<Readable>(openHttp2Body, (request) => {
      const more = (): void => {
        while (sent < long.length && request.write(long.subarray(sent, (sent += 10_000))));
        if (sent >= long.length) request.end();
      };
      request.on("drain", more);
      more();
    });
    body.read(0);
    let before = -1;
    await expect.poll(() => [before, (before = sent)], { interval: 100 }).toSatisfy(([a, b]) => a === b);
    expect(sent).toBeLessThan(1_000_000);
    expect((await buffer(body)).length).toBe(long.length);
  });

  it("fails its reader when its client is gone", async () => {
    const body = await post<Readable>(openHttp2Body, (request) => {
      request.write("some");
      setTimeout(() => request.destroy(), 50);
    });
    await expect(buffer(body)).rejects.toThrow("the request ended before its body");
  });

  it("is discarded when its reader is destroyed, and other streams go on", async () => {
    const body = await post<Readable>(openHttp2Body, (request) => request.write(Buffer.alloc(200_000)));
    body.read(0);
    body.destroy();
    expect(
      long.equals(
        await post(
          (stream) => buffer(openHttp2Body(stream)),
          (request) => request.end(long),
        ),
      ),
    ).toBe(true);
  });
});
