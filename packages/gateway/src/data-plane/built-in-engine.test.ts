import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noChanges } from "../engine/routed-rule.js";
import type { BuiltInEngine } from "./built-in-engine.js";
import {
  answering,
  backend,
  entry,
  exchange,
  freePort,
  httpPort,
  rule,
  service,
  startEngine,
  startRawBackend,
} from "./engine.test.support.js";

let engine: BuiltInEngine;
let raw: Awaited<ReturnType<typeof startRawBackend>>;
let port: number;

beforeAll(async () => {
  raw = await startRawBackend();
  port = await freePort();
  const closed = await freePort();
  const to = (...ports: number[]) => [backend(service(...ports))];
  engine = await startEngine([
    httpPort(port, [
      entry("/", rule({ backends: to(raw.port) })),
      entry("/raw", rule({ backends: to(raw.port) })),
      entry("/refused", rule({ backends: to(closed) })),
      entry("/second", rule({ backends: to(closed, raw.port), changes: rewriteTo(answering(plain("second"))) })),
      entry("/nobody", rule({ backends: [backend({ ...service(), target: { ...service().target, service: "" } })] })),
      entry("/invalid", rule({ backends: [backend({ kind: "failure", status: 500, message: "no such Service" })] })),
      entry("/silent", rule({ backends: to(raw.port), timeouts: { requestMs: 50, backendRequestMs: 0 } })),
      entry(
        "/attempts",
        rule({ backends: to(raw.port), timeouts: { requestMs: 0, backendRequestMs: 30 }, retry: twice }),
      ),
      entry("/busy", rule({ backends: to(raw.port), changes: rewriteTo(answering(busy)), retry: twice })),
      entry("/sticky", rule({ backends: to(raw.port), changes: rewriteTo(answering(plain("x"))), session })),
    ]),
  ]);
});
afterAll(async () => {
  raw.close();
  await engine.close();
});

const twice = { attempts: 2, codes: [503], backoffMs: 0 };
const session = { name: "at", carrier: "cookie", absoluteTimeoutMs: 0, lifetime: "Session" } as const;
const rewriteTo = (path: string) => ({
  ...noChanges,
  rewrite: { path: { type: "ReplaceFullPath", replaceFullPath: path } as const },
});
const plain = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
const get = (path: string, headers = "", method = "GET"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a.test\r\n${headers}\r\n`;
const close = "Connection: close\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

describe("answers of backends in HTTP/1.1", () => {
  const rows: { name: string; answer: string; ends?: boolean; request?: (path: string) => string; want: string }[] = [
    { name: "a length", answer: plain("hello"), want: `HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${close}\r\nhello` },
    {
      name: "chunks, without their extensions",
      answer: `HTTP/1.1 200 OK\r\n${chunked}\r\n3;x=y\r\nabc\r\n0\r\n\r\n`,
      want: `HTTP/1.1 200 OK\r\n${chunked}${close}\r\n3\r\nabc\r\n0\r\n\r\n`,
    },
    {
      name: "trailers, without those that frame a message",
      answer: `HTTP/1.1 200 OK\r\n${chunked}\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n`,
      want: `HTTP/1.1 200 OK\r\n${chunked}${close}\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n`,
    },
    {
      name: "a body that ends with the connection",
      answer: "HTTP/1.1 200 OK\r\n\r\nabc",
      ends: true,
      want: `HTTP/1.1 200 OK\r\n${chunked}${close}\r\n3\r\nabc\r\n0\r\n\r\n`,
    },
    {
      name: "chunks for a client of HTTP/1.0: the connection's end is theirs",
      answer: `HTTP/1.1 200 OK\r\n${chunked}\r\n3\r\nabc\r\n0\r\n\r\n`,
      request: (path) => `GET ${path} HTTP/1.0\r\n\r\n`,
      want: `HTTP/1.1 200 OK\r\n${close}\r\nabc`,
    },
    {
      name: "HEAD keeps the length",
      answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
      request: (path) => get(path, close, "HEAD"),
      want: `HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${close}\r\n`,
    },
    {
      name: "204",
      answer: "HTTP/1.1 204 No Content\r\n\r\n",
      want: `HTTP/1.1 204 No Content\r\n${close}\r\n`,
    },
    {
      name: "informational ones are not passed on",
      answer: `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${plain("hello")}`,
      want: `HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${close}\r\nhello`,
    },
    {
      name: "headers of the connection are not passed on",
      answer:
        "HTTP/1.1 200 OK\r\nConnection: X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nX-Kept: 1\r\nContent-Length: 0\r\n\r\n",
      want: `HTTP/1.1 200 OK\r\nX-Kept: 1\r\nContent-Length: 0\r\n${close}\r\n`,
    },
    { name: "no HTTP", answer: "SSH-2.0-x\r\n\r\n", want: "502" },
    { name: "two lengths", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", want: "502" },
    {
      name: "a length and chunks",
      answer: `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n${chunked}\r\n0\r\n\r\n`,
      want: "502",
    },
    { name: "a folded header", answer: "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", want: "502" },
    { name: "the end before an answer", answer: "HTTP/1.1 200 OK\r\n", ends: true, want: "502" },
    {
      name: "a body that breaks off does not look complete",
      answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      ends: true,
      want: `HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${close}\r\nabc`,
    },
    {
      name: "chunks that break off have no last one",
      answer: `HTTP/1.1 200 OK\r\n${chunked}\r\n3\r\nabc\r\n`,
      ends: true,
      want: `HTTP/1.1 200 OK\r\n${chunked}${close}\r\n3\r\nabc\r\n`,
    },
  ];
  for (const { name, answer, ends, request = (path: string) => get(path, close), want } of rows)
    it(name, async () => {
      const got = await exchange(port, request(`${answering(answer)}${ends ? "/end" : ""}`));
      if (want === "502") expect(got).toMatch(/^HTTP\/1\.1 502 /);
      else expect(got).toBe(want);
    });
});

describe("what happens to requests", () => {
  const rows = [
    { name: "a backend that refuses", sent: get("/refused", close), want: /^HTTP\/1\.1 502 / },
    {
      name: "one of two endpoints refuses: the other one answers",
      sent: get("/second", close).repeat(1),
      want: /second$/,
    },
    { name: "no endpoint", sent: get("/nobody", close), want: /^HTTP\/1\.1 503 / },
    { name: "a reference that leads nowhere", sent: get("/invalid", close), want: /^HTTP\/1\.1 500 / },
    { name: "no answer in the request's time", sent: get("/silent", close), want: /^HTTP\/1\.1 504 / },
    { name: "no answer in the time of three attempts", sent: get("/attempts", close), want: /^HTTP\/1\.1 504 / },
    { name: "a status that is tried again, and stays", sent: get("/busy", close), want: /^HTTP\/1\.1 503 / },
    { name: "a session begins", sent: get("/sticky", close), want: /Set-Cookie: at=[\w-]{22}; Path=\/; HttpOnly\r\n/ },
    {
      name: "requests at once are answered in their order",
      sent: get(answering(plain("one"))) + get("/invalid") + get(answering(plain("two")), close),
      want: /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\noneHTTP\/1\.1 500 [^]*HTTP\/1\.1 200 OK\r\n[^]*two$/,
    },
    {
      name: "Expect: 100-continue is met here",
      sent: `${get(answering(plain("x")), `${close}Expect: 100-continue\r\nContent-Length: 2\r\n`, "POST")}hi`,
      want: /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    },
    { name: "another expectation", sent: get("/", "Expect: more\r\n"), want: /^HTTP\/1\.1 417 / },
    { name: "a head that is malformed", sent: get("/", "X : v\r\n"), want: /^HTTP\/1\.1 400 / },
    {
      name: "a length and chunks",
      sent: get("/", `Content-Length: 5\r\n${chunked}`, "POST"),
      want: /^HTTP\/1\.1 400 /,
    },
    { name: "chunks that break", sent: `${get("/", chunked, "POST")}zz\r\n`, want: /^HTTP\/1\.1 400 / },
    { name: "a head of 70 KB", sent: get("/", `X: ${"v".repeat(70_000)}\r\n`), want: /^HTTP\/1\.1 431 / },
  ];
  for (const { name, sent, want } of rows) it(name, async () => expect(await exchange(port, sent)).toMatch(want));

  it("attempts are as many as the rule has", async () => {
    const count = (): number => raw.received.join("").split(`${answering(busy)} `).length;
    const before = count();
    await exchange(port, get("/busy", close));
    expect(count() - before).toBe(3);
  });

  it("a body is forwarded with its framing, and its trailers", async () => {
    const at = raw.received.length;
    const path = answering(plain("x"));
    await exchange(port, `${get(path, close + chunked, "POST")}3;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\nHost: b\r\n\r\n`);
    const text = raw.received.slice(at).join("") || raw.received.at(-1) || "";
    expect(text).toContain(`POST ${path} HTTP/1.1\r\nHost: a.test\r\n`);
    expect(text).toMatch(/Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n$/);
  });

  it("an upgrade becomes a tunnel in both directions", async () => {
    const answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst";
    const got = await exchange(
      port,
      `${get(answering(answer), "Connection: Upgrade\r\nUpgrade: echo\r\n")}later`,
      /first$/,
    );
    expect(got).toBe("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst");
    const tunnelled = "Connection: Upgrade\r\nUpgrade: echo\r\n\r\nlater";
    await expect.poll(() => raw.received.some((text) => text.endsWith(tunnelled))).toBe(true);
  });

  it("an upgrade to HTTP/2 is not passed on", async () => {
    await exchange(
      port,
      get(
        answering(plain("h2c")),
        "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n",
      ),
    );
    const text = raw.received.find((one) => one.includes(answering(plain("h2c")))) ?? "";
    expect(text).not.toMatch(/upgrade|http2-settings/i);
  });
});
