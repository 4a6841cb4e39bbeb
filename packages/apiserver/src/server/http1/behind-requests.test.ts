import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { connect as connectTls } from "node:tls";
import { noActivity } from "@coxswain/runtime/activity";
import { systemClock } from "@coxswain/runtime/clock";
import { measuredTime, TaskScheduler } from "@coxswain/runtime/scheduler";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestSink } from "../../request/response-sink.js";
import { startTestListener } from "../listener/test-listener.test.support.js";
import { createHttp1Server } from "./http1.js";

/** Answers when `answer` is called, and not before: what comes behind a request is there by then. */
describe("bytes behind a request of HTTP/1.1 that is not answered yet", () => {
  let server: Server;
  let answer: () => void;
  let begun: Promise<void>;
  beforeEach(async () => {
    let begin: () => void;
    begun = new Promise((resolve) => (begin = resolve));
    const onRequest: RequestSink = (request, sink) => {
      const { body } = request;
      if (body.as !== "bytes") return;
      void Promise.resolve(body.read(100, { freeBytes: 100, more() {} })).then(
        () => {
          answer = () => {
            sink.head(200, { "content-length": "2" });
            sink.end(Buffer.from("ok"));
          };
          begin();
        },
        () => {},
      );
    };
    const http1 = createHttp1Server(
      onRequest,
      new TaskScheduler({ time: measuredTime(systemClock), activity: noActivity }),
    );
    server = createServer((socket) => http1.emit("connection", socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const head = (more: string): string => `POST / HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const rows = [
    {
      name: "behind Connection: close they are ignored",
      sent: `${head("Connection: close\r\nContent-Length: 2\r\n")}{}GET`,
      want: [200],
    },
    { name: "behind HTTP/1.0 they are ignored", sent: "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.1\r\n\r\n", want: [200] },
    {
      name: "a body longer than its length is refused behind the answer",
      sent: `${head("Content-Length: 2\r\n")}{}}}\r\n\r\n`,
      want: [200, 400],
    },
  ];
  for (const { name, sent, want } of rows)
    for (const how of ["at once", "byte by byte"])
      it(`${name}, ${how}`, async () => {
        const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
        client.on("error", () => {});
        let text = "";
        client.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
        const closed = new Promise((resolve) => client.once("close", resolve));
        client.setNoDelay(true);
        if (how === "at once") client.write(sent);
        else
          for (const byte of sent) {
            client.write(byte);
            await new Promise((resolve) => setImmediate(resolve));
          }
        await begun;
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        answer();
        await closed;
        expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, code]) => Number(code))).toEqual(want);
      });

  it("a body that cannot be parsed is refused at once", async () => {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    client.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    client.write(`${head("Transfer-Encoding: chunked\r\n")}no chunk\r\n`);
    await new Promise((resolve) => client.once("close", resolve));
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  });
});

it("a large request behind an answer that is being read is served", { timeout: 60_000 }, async () => {
  const server = await startTestListener();
  await server.fill(12);
  const client = connectTls({ port: server.port, host: "127.0.0.1", ...server.tls(), ALPNProtocols: ["http/1.1"] });
  client.on("error", () => {});
  let text = "";
  const closed = new Promise((resolve) => client.once("close", resolve));
  client.pause();
  client.write("GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => server.executing()).toBe(1);
  const body = JSON.stringify({ metadata: { name: "behind" }, data: { d: "x".repeat(1_000_000) } });
  const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  client.write(`POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`);
  await new Promise((resolve) => client.once("drain", resolve).once("close", resolve));
  client.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  client.resume();
  await closed;
  expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, code]) => Number(code))).toEqual([200, 201]);
  await server.stop();
});
