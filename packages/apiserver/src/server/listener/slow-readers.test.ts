import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestListener } from "./test-listener.test.support.js";

/** A request's time is for its client to read the answer, too. */
describe("clients that do not read their answers", { timeout: 30_000 }, () => {
  let server: Awaited<ReturnType<typeof startTestListener>>;
  beforeAll(async () => {
    server = await startTestListener({}, { requestTimeoutMs: 300 });
    await server.fill(40);
  });
  afterAll(() => server.stop());

  const lists = [
    { name: "a list", path: "/api/v1/configmaps", headers: {} },
    { name: "an indented list", path: "/api/v1/configmaps?pretty=true", headers: {} },
    { name: "a list in YAML", path: "/api/v1/configmaps", headers: { accept: "application/yaml" } },
    {
      name: "a list in protobuf",
      path: "/api/v1/configmaps",
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    },
  ];
  for (const { name, path, headers } of lists) {
    it(`are cut off when the time of ${name} is over, over HTTP/1.1`, async () => {
      const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`);
      const socket = connect({ port: server.port, host: "127.0.0.1", ...server.tls() });
      socket.on("error", () => {});
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`);
      await until(() => server.executing() === 1);
      await until(() => server.executing() === 0);
      let bytes = 0;
      socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
      socket.resume();
      await new Promise((resolve) => socket.once("close", resolve));
      expect(bytes).toBeLessThan(40_000_000);
    });

    it(`are cut off when the time of ${name} is over, over HTTP/2`, async () => {
      const session = server.session();
      const stream = session.request({ ":path": path, ...headers });
      const closed = new Promise<number | undefined>((resolve) => {
        stream.on("error", () => {});
        stream.on("close", () => resolve(stream.rstCode));
      });
      await until(() => server.executing() === 1);
      await until(() => server.executing() === 0);
      stream.resume();
      expect(await closed).toBe(8); // CANCEL
      session.destroy();
    });
  }

  it("do not keep others from being answered", async () => {
    const session = server.session();
    const stream = session.request({ ":path": "/api/v1/namespaces/default" });
    const status = await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])));
    expect(status).toBe(200);
    session.destroy();
  });

  it("are gone when their connections are cut", async () => {
    const other = await startTestListener();
    await other.fill(40);
    const socket = connect({ port: other.port, host: "127.0.0.1", ...other.tls() });
    socket.on("error", () => {});
    socket.pause();
    socket.write("GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\n\r\n");
    const session = other.session();
    session.request({ ":path": "/api/v1/configmaps" }).on("error", () => {});
    await until(() => other.executing() === 2);
    other.cut();
    await until(() => other.executing() === 0);
    await other.stop();
    session.destroy();
    socket.destroy();
  });

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
});
