import { connect, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestListener } from "../listener/test-listener.test.support.js";

describe("HTTP/1.1 clients that do not behave", { timeout: 30_000 }, () => {
  let server: Awaited<ReturnType<typeof startTestListener>>;
  const sockets: TLSSocket[] = [];
  beforeEach(async () => {
    server = await startTestListener({ http1Limits: { headersMs: 100, checkMs: 20 } });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.stop();
  });

  const dial = (): TLSSocket => {
    const socket = connect({ port: server.port, host: "127.0.0.1", ...server.tls(), ALPNProtocols: ["http/1.1"] });
    socket.on("error", () => {});
    sockets.push(socket);
    return socket;
  };
  const readAll = (socket: TLSSocket): Promise<string> =>
    new Promise((resolve) => {
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      socket.once("close", () => resolve(text));
    });
  const requestWith = (headers: string): Promise<string> => {
    const socket = dial();
    socket.write(
      `POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${headers}\r\n{}`,
    );
    return readAll(socket);
  };
  const executing = (): number => server.executing();
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("a header behind thousands of others counts", async () => {
    const junk = Array.from({ length: 1500 }, (_, at) => `x-junk-${at}: 1\r\n`).join("");
    expect(await requestWith(`${junk}Impersonate-User: bob\r\n`)).toContain('"username":"bob"');
  });

  it("tens of thousands of Impersonate-Extra headers are read in linear time", async () => {
    const extras = Array.from({ length: 30_000 }, (_, at) => `Impersonate-Extra-k${at}: 1\r\n`).join("");
    expect(await requestWith(extras)).toContain("without impersonating a user name");
  });

  it("headers that never end are cut off", async () => {
    const socket = dial();
    const dribble = setInterval(() => socket.write("x"), 10);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
    expect(await readAll(socket)).toBe("");
    clearInterval(dribble);
  });

  it("a connection on which no request comes is cut off", async () => expect(await readAll(dial())).toBe(""));

  it("headers of a second request that never end are cut off", async () => {
    const socket = dial();
    socket.write("GET /version HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n");
    expect(await readAll(socket)).toContain("gitVersion");
  });

  it("pipelined requests are served one at a time, in order", async () => {
    const socket = dial();
    const paths = ["/version", "/api/v1/namespaces/default", "/api", "/apis"];
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const text = await readAll(socket);
    const order = ["gitVersion", '"kind":"Namespace"', '"APIVersions"', '"APIGroupList"', "\r\n\r\nok"];
    const found = order.map((word) => text.indexOf(word));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
    expect(server.maxExecuting()).toBe(1);
  });

  it("a client that stops reading and leaves ends its requests", async () => {
    await server.fill(40);
    const socket = dial();
    socket.once("secureConnect", () => socket.pause());
    socket.write("GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\n\r\n".repeat(60));
    await until(() => executing() > 0);
    socket.destroy();
    await until(() => executing() === 0);
  });

  it("an upgrade behind a request that is not answered yet waits for it", async () => {
    const socket = dial();
    socket.write("GET /version HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.write("GET /api HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    const text = await readAll(socket);
    expect(text.indexOf("gitVersion")).toBeLessThan(text.indexOf('"APIVersions"'));
  });
});
