import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createTestCertificates, startHttp2Server } from "./http-server.test.support.js";
import { createNodeTransport } from "./index.js";
import { parseProxy, proxyFromEnvironment } from "./proxy.js";
import { parseServer } from "./server-address.js";

describe("the proxy of the environment", () => {
  const rows: { server: string; environment: Record<string, string>; proxy: string | undefined }[] = [
    { server: "https://api:6443", environment: {}, proxy: undefined },
    { server: "https://api:6443", environment: { HTTPS_PROXY: "http://p:3128" }, proxy: "http://p:3128/" },
    { server: "https://api:6443", environment: { https_proxy: "p:3128" }, proxy: "http://p:3128/" },
    { server: "https://api:6443", environment: { HTTP_PROXY: "http://p" }, proxy: undefined },
    { server: "http://api", environment: { HTTP_PROXY: "http://p" }, proxy: "http://p/" },
    { server: "https://api:6443", environment: { HTTPS_PROXY: "http://p", NO_PROXY: "*" }, proxy: undefined },
    {
      server: "https://api.example.com",
      environment: { HTTPS_PROXY: "http://p", NO_PROXY: "example.com" },
      proxy: undefined,
    },
    {
      server: "https://example.com",
      environment: { HTTPS_PROXY: "http://p", NO_PROXY: ".example.com" },
      proxy: "http://p/",
    },
    {
      server: "https://myexample.com",
      environment: { HTTPS_PROXY: "http://p", NO_PROXY: "example.com" },
      proxy: "http://p/",
    },
    {
      server: "https://10.1.2.3",
      environment: { HTTPS_PROXY: "http://p", no_proxy: "a, 10.0.0.0/8" },
      proxy: undefined,
    },
    {
      server: "https://11.1.2.3",
      environment: { HTTPS_PROXY: "http://p", NO_PROXY: "10.0.0.0/8" },
      proxy: "http://p/",
    },
    { server: "https://api:6443", environment: { HTTPS_PROXY: "http://p", NO_PROXY: "api:443" }, proxy: "http://p/" },
    { server: "https://api:6443", environment: { HTTPS_PROXY: "http://p", NO_PROXY: "api:6443" }, proxy: undefined },
    {
      server: "https://[fd00::1]:6443",
      environment: { HTTPS_PROXY: "http://p", NO_PROXY: "fd00::1" },
      proxy: undefined,
    },
    { server: "https://127.0.0.1:6443", environment: { HTTPS_PROXY: "http://p" }, proxy: undefined },
    { server: "https://localhost", environment: { HTTPS_PROXY: "http://p" }, proxy: undefined },
  ];
  for (const { server, environment, proxy } of rows)
    it(`${server} with ${JSON.stringify(environment)}: ${proxy ?? "none"}`, () =>
      expect(proxyFromEnvironment(parseServer(server), environment)?.url.href).toBe(proxy));
  it("an unknown scheme is refused", () => expect(() => parseProxy("ftp://p")).toThrow('unsupported scheme "ftp"'));
});

describe("through a proxy", () => {
  const certificates = createTestCertificates();
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  const startServer = async (): Promise<string> => {
    const server = await startHttp2Server(certificates, (stream) => {
      stream.respond({ ":status": 200 });
      stream.end('{"ok":true}');
    });
    stops.push(() => server.stop());
    return server.url;
  };
  const ask = async (server: string, proxyUrl: string): Promise<unknown> => {
    const transport = createNodeTransport({ server, tls: () => ({ ca: certificates.ca }), proxyUrl, environment: {} });
    const value = await (await transport.send({ method: "GET", path: "/" })).value();
    await transport.close();
    return value;
  };

  it("by CONNECT, with a name and password", async () => {
    const asked: string[] = [];
    const proxy = createHttpServer();
    proxy.on("connect", (request, socket, head) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
      if (request.headers["proxy-authorization"] === undefined)
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      const [host = "", port] = (request.url ?? "").split(":");
      const target = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        target.write(head);
        target.pipe(socket);
        socket.pipe(target);
      });
      target.on("error", () => socket.destroy());
      socket.on("error", () => target.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => proxy.close(resolve)));
    const { port } = proxy.address() as AddressInfo;
    const server = await startServer();
    expect(await ask(server, `http://me:p%40ss@127.0.0.1:${port}`)).toEqual({ ok: true });
    expect(asked).toEqual([`${new URL(server).host} Basic ${btoa("me:p@ss")}`]);
    await expect(ask(server, `http://127.0.0.1:${port}`)).rejects.toThrow(
      `through 127.0.0.1:${port}: the proxy answered 407 Proxy Authentication Required`,
    );
  });

  it("by SOCKS 5", async () => {
    const proxy = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write(Buffer.from([5, 0]));
        socket.once("data", (request: Buffer) => {
          const length = request[4] as number;
          const host = request.toString("latin1", 5, 5 + length);
          const target = connect(request.readUInt16BE(5 + length), host, () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            target.pipe(socket);
            socket.pipe(target);
          });
          target.on("error", () => socket.destroy());
        });
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => proxy.close(resolve)));
    expect(await ask(await startServer(), `socks5://127.0.0.1:${(proxy.address() as AddressInfo).port}`)).toEqual({
      ok: true,
    });
  });
});
