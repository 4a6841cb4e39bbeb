import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestListener } from "../listener/test-listener.test.support.js";

/** As kube-apiserver answers them, whose HTTP server is Go's. */
describe("requests that HTTP alone decides about", () => {
  let server: Awaited<ReturnType<typeof startTestListener>>;
  beforeAll(async () => void (server = await startTestListener()));
  afterAll(() => server.stop());

  /** Sends the parts, each when there was an answer to the one before, and reads to the end. */
  const send = async (...parts: string[]): Promise<string> => {
    const socket = connect({ port: server.port, host: "127.0.0.1", ALPNProtocols: ["http/1.1"], ...server.tls() });
    const [first, ...rest] = parts;
    socket.write(first ?? "");
    socket.on("data", () => rest.length > 0 && socket.write(rest.shift() ?? ""));
    return text(socket);
  };
  const head = (answer: string): string => answer.slice(0, answer.indexOf("\r\n"));
  const body = (answer: string): string => answer.slice(answer.indexOf("\r\n\r\n") + 4);
  const usual = "Host: x\r\nConnection: close\r\n";

  const refused = [
    { name: "a broken escape", sent: `GET /api/v1/namespaces/%zz HTTP/1.1\r\n${usual}\r\n`, want: "400 Bad Request" },
    {
      name: "no host",
      sent: "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
      want: "400 Bad Request: missing required Host header",
    },
    { name: "two hosts", sent: `GET /healthz HTTP/1.1\r\nHost: y\r\n${usual}\r\n`, want: "400 Bad Request" },
    {
      name: "a host that is none",
      sent: "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
      want: "400 Bad Request: malformed Host header",
    },
    {
      name: "HTTP/2 without its frames",
      sent: "GET /healthz HTTP/2.0\r\n\r\n",
      want: "505 HTTP Version Not Supported: unsupported protocol version",
    },
    { name: "no version", sent: "GET /healthz\r\n\r\n", want: "400 Bad Request" },
    {
      name: "headers beyond a megabyte",
      sent: `GET /healthz HTTP/1.1\r\n${usual}A: ${"a".repeat(1 << 20)}\r\n\r\n`,
      want: "431 Request Header Fields Too Large",
    },
  ];
  for (const { name, sent, want } of refused) {
    it(`${name}: refused`, async () => {
      const answer = await send(sent);
      expect([head(answer), body(answer)]).toEqual([`HTTP/1.1 ${want}`, want]);
    });
  }

  it("an encoding other than chunks is not guessed at", async () => {
    const answer = await send(
      `POST /api/v1/namespaces HTTP/1.1\r\n${usual}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    );
    expect([head(answer), body(answer)]).toEqual(["HTTP/1.1 501 Not Implemented", "Unsupported transfer encoding"]);
  });
  it("what the parser finds fault with afterwards is not answered twice", async () => {
    expect(body(await send(`POST /api/v1/namespaces HTTP/1.1\r\n${usual}Transfer-Encoding: foo\r\n\r\n{}`))).toBe(
      "Unsupported transfer encoding",
    );
  });
  it("a target as it is sent to a proxy means its path", async () => {
    expect(
      JSON.parse(
        body(await send(`GET http://elsewhere:80/api/v1/namespaces/default?pretty=0 HTTP/1.1\r\n${usual}\r\n`)),
      ),
    ).toMatchObject({ kind: "Namespace" });
  });
  it("OPTIONS of the server as a whole", async () =>
    expect(await send(`OPTIONS * HTTP/1.1\r\n${usual}\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\ncontent-length: 0\r\n/));
  it("CONNECT is a method like any other", async () => {
    expect(head(await send(`CONNECT /api HTTP/1.1\r\n${usual}\r\n`))).toBe("HTTP/1.1 405 Method Not Allowed");
    expect(head(await send(`CONNECT x:80 HTTP/1.1\r\n${usual}\r\n`))).toBe("HTTP/1.1 404 Not Found");
  });
  it("a body too long has Go's name for it", async () => {
    const sent = "x".repeat(3 * 1024 * 1024 + 1);
    expect(
      head(
        await send(
          `POST /api/v1/namespaces HTTP/1.1\r\n${usual}Content-Type: application/json\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`,
        ),
      ),
    ).toBe("HTTP/1.1 413 Request Entity Too Large");
  });

  const namespace = '{"metadata":{"name":"awaited"}}';
  const expects = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${namespace.length}\r\n`;
  it("a client that expects 100 Continue gets it when its body is read", async () => {
    const answer = await send(`${expects("/api/v1/namespaces")}Connection: close\r\n\r\n`, namespace);
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 Created\r\n/);
  });
  it("and not when it is not; then the connection ends", async () => {
    expect(await send(`${expects("/api/v1/nothing")}\r\n`)).toMatch(
      /^HTTP\/1.1 404 Not Found\r\n[^]*connection: close\r\n/i,
    );
  });
  it("another expectation fails", async () =>
    expect(head(await send(`GET /healthz HTTP/1.1\r\n${usual}Expect: cake\r\n\r\n`))).toBe(
      "HTTP/1.1 417 Expectation Failed",
    ));
});
