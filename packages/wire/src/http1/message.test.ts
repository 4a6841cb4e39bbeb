import { describe, expect, it } from "vitest";
import { responseFraming } from "./body-framing.js";
import { Http1Error } from "./http1-error.js";
import { readRequests } from "./message.test.support.js";
import { parseResponseHead } from "./message-head.js";

const get = (headers = "", target = "/a"): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const line = (first: string, headers = "Host: x\r\n"): string => `${first}\r\n${headers}\r\n`;
const post = (headers: string, body: string): string => `POST /a HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const chunked = (body: string): string => post("Transfer-Encoding: chunked\r\n", body);
const smuggled = "DELETE /b HTTP/1.1\r\nHost: x\r\n\r\n";

const rows: readonly { readonly name: string; readonly sent: string; readonly want: string }[] = [
  { name: "a plain request", sent: get(), want: "GET x/a" },
  { name: "three requests at once", sent: get().repeat(3), want: "GET x/a, GET x/a, GET x/a" },
  {
    name: "a body by its length, and a request behind it",
    sent: post("Content-Length: 2\r\n", "hi") + get(),
    want: "POST x/a hi, GET x/a",
  },
  {
    name: "a body whose bytes look like a request",
    sent: post(`Content-Length: ${smuggled.length}\r\n`, smuggled),
    want: `POST x/a ${smuggled}`,
  },

  { name: "HTTP/1.0 without a host", sent: line("GET /a HTTP/1.0", ""), want: "GET /a" },
  { name: "HTTP/1.2", sent: line("GET /a HTTP/1.2"), want: "505" },
  { name: "HTTP/2.0, the preface", sent: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", want: "505" },
  { name: "a version in lower case", sent: line("GET /a http/1.1"), want: "400" },
  { name: "no version", sent: line("GET /a"), want: "400" },
  { name: "two blanks in the request line", sent: line("GET  /a HTTP/1.1"), want: "400" },
  { name: "a tab in the request line", sent: line("GET\t/a HTTP/1.1"), want: "400" },
  { name: "a blank behind the version", sent: line("GET /a HTTP/1.1 "), want: "400" },
  { name: "one empty line before the request", sent: `\r\n${get()}`, want: "GET x/a" },
  { name: "two empty lines before the request", sent: `\r\n\r\n${get()}`, want: "400" },
  { name: "bytes that are no HTTP", sent: "\x16\x03\x01\x02\0\x01\0\r\n\r\n", want: "400" },
  { name: "a method with a sign that is not allowed", sent: line("G@T /a HTTP/1.1"), want: "400" },
  { name: "a method that nobody knows", sent: line("BREW /a HTTP/1.1"), want: "BREW x/a" },
  { name: "CONNECT", sent: line("CONNECT x:443 HTTP/1.1"), want: "405" },

  {
    name: "a target with its host: the Host line does not count",
    sent: get("", "http://elsewhere/b?c"),
    want: "GET elsewhere/b?c",
  },
  { name: "a target with its host and a query alone", sent: get("", "http://elsewhere?c"), want: "GET elsewhere/?c" },
  { name: "a target with a name and a password", sent: get("", "http://a:b@x/"), want: "400" },
  { name: "a target without a slash", sent: get("", "a"), want: "400" },
  { name: "a target with a fragment", sent: get("", "/a#b"), want: "400" },
  { name: "a star that is not of OPTIONS", sent: get("", "*"), want: "400" },
  { name: "OPTIONS *", sent: line("OPTIONS * HTTP/1.1"), want: "OPTIONS x*" },
  { name: "bytes above ASCII in the target", sent: get("", "/\xe4"), want: "400" },

  { name: "a head of 9 KB", sent: get(`X: ${"v".repeat(9000)}\r\n`), want: "431" },
  { name: "a head without an end", sent: `GET /a HTTP/1.1\r\n${"X: v\r\n".repeat(2000)}`, want: "431" },
  { name: "300 header lines", sent: get("X: v\r\n".repeat(300)), want: "431" },
  { name: "a blank before the colon", sent: get("X : v\r\n"), want: "400" },
  { name: "a header without a colon", sent: get("X\r\n"), want: "400" },
  { name: "a header without a name", sent: get(": v\r\n"), want: "400" },
  { name: "a header name with a byte above ASCII", sent: get("X\xe4: v\r\n"), want: "400" },
  { name: "a header value with bytes above ASCII", sent: get("X: \xe4\xff\r\n"), want: "GET x/a" },
  { name: "a zero byte in a value", sent: get("X: a\0b\r\n"), want: "400" },
  { name: "a carriage return alone in a value", sent: get("X: a\rb: c\r\n"), want: "400" },
  { name: "a line feed alone in a value", sent: get("X: a\nb: c\r\n"), want: "400" },
  { name: "a folded header", sent: get("X: a\r\n b\r\n"), want: "400" },
  { name: "the first header begins with a blank", sent: "GET /a HTTP/1.1\r\n Host: x\r\n\r\n", want: "400" },
  { name: "lines that end with line feeds alone", sent: get().replaceAll("\r\n", "\n"), want: "400" },
  { name: "no host", sent: line("GET /a HTTP/1.1", ""), want: "400" },
  { name: "two hosts", sent: get("Host: y\r\n"), want: "400" },
  { name: "a host that is none", sent: line("GET /a HTTP/1.1", "Host: a b\r\n"), want: "400" },

  { name: "two equal lengths", sent: post("Content-Length: 2\r\nContent-Length: 2\r\n", "hi"), want: "400" },
  { name: "two lengths in one line", sent: post("Content-Length: 2, 2\r\n", "hi"), want: "400" },
  { name: "a length with a plus", sent: post("Content-Length: +2\r\n", "hi"), want: "400" },
  { name: "a negative length", sent: post("Content-Length: -2\r\n", "hi"), want: "400" },
  { name: "an empty length", sent: post("Content-Length:\r\n", ""), want: "400" },
  { name: "a length beyond 2^53", sent: post("Content-Length: 99999999999999999999\r\n", ""), want: "400" },
  {
    name: "a length and chunks",
    sent: post("Content-Length: 40\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`),
    want: "400",
  },
  { name: "identity", sent: post("Transfer-Encoding: identity\r\n", ""), want: "501" },
  { name: "gzip, chunked", sent: post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), want: "501" },
  {
    name: "chunked twice",
    sent: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    want: "501",
  },
  { name: "chunked with a vertical tab", sent: post("Transfer-Encoding: \x0bchunked\r\n", "0\r\n\r\n"), want: "400" },
  { name: "chunked in capitals", sent: post("TRANSFER-ENCODING: CHUNKED\r\n", "0\r\n\r\n"), want: "POST x/a " },
  { name: "chunks in HTTP/1.0", sent: "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", want: "400" },

  {
    name: "chunks, and a request behind them",
    sent: chunked("2\r\nhi\r\n3\r\n yo\r\n0\r\n\r\n") + get(),
    want: "POST x/a hi yo, GET x/a",
  },
  { name: "trailers", sent: chunked("2\r\nhi\r\n0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n"), want: "POST x/a hi X-Sum=1 X-B=2" },
  { name: "chunk extensions are dropped", sent: chunked('2;a="b"\r\nhi\r\n0 ;c\r\n\r\n'), want: "POST x/a hi" },
  { name: "a chunk extension with a line feed", sent: chunked("2;a\nhi\r\n0\r\n\r\n"), want: "400" },
  { name: "a chunk extension of 2 KB", sent: chunked(`2;${"a".repeat(2000)}\r\nhi\r\n0\r\n\r\n`), want: "400" },
  { name: "20 KB of chunk extensions", sent: chunked(`1;${"a".repeat(500)}\r\nh\r\n`.repeat(40)), want: "400" },
  { name: "a chunk size that is no number", sent: chunked("xyz\r\nhi\r\n"), want: "400" },
  { name: "a chunk size with 0x", sent: chunked("0x2\r\nhi\r\n"), want: "400" },
  { name: "a chunk size beyond 2^53", sent: chunked("FFFFFFFFFFFFFFFF\r\nhi\r\n"), want: "400" },
  { name: "a negative chunk size", sent: chunked("-1\r\nhi\r\n"), want: "400" },
  { name: "a chunk longer than its size", sent: chunked("2\r\nhi!\r\n0\r\n\r\n"), want: "400" },
  { name: "a chunk that ends with a line feed alone", sent: chunked("2\r\nhi\n0\r\n\r\n"), want: "400" },
  { name: "a chunk size that ends with a line feed alone", sent: chunked("2\nhi\r\n0\r\n\r\n"), want: "400" },
  { name: "a trailer without a colon", sent: chunked("0\r\nX\r\n\r\n"), want: "400" },
  { name: "10 KB of trailers", sent: chunked(`0\r\nX: ${"v".repeat(10_000)}\r\n\r\n`), want: "400" },
  { name: "chunks without an end", sent: chunked("2\r\nhi\r\n"), want: "waits" },
];

describe("requests of HTTP/1.1", () => {
  for (const { name, sent, want } of rows)
    it(name, () => {
      // However they are cut.
      for (const bytes of [sent.length, 1, 2, 7]) expect(readRequests(sent, bytes), `in pieces of ${bytes}`).toBe(want);
    });
});

const responses = [
  { name: "by its length", head: "HTTP/1.1 200 OK\r\nContent-Length: 3", want: { kind: "length", bytes: 3 } },
  { name: "in chunks", head: "HTTP/1.1 200 \r\nTransfer-Encoding: chunked", want: { kind: "chunked" } },
  { name: "with the connection", head: "HTTP/1.0 200 OK", want: { kind: "until closed" } },
  { name: "there is none with 204", head: "HTTP/1.1 204 None\r\nContent-Length: 3", want: { kind: "none" } },
  { name: "there is none with 304", head: "HTTP/1.1 304", want: { kind: "none" } },
  {
    name: "there is none of HEAD",
    head: "HTTP/1.1 200 OK\r\nContent-Length: 3",
    method: "HEAD",
    want: { kind: "none" },
  },
  {
    name: "a length and chunks",
    head: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
    want: "refused",
  },
  { name: "a status of two digits", head: "HTTP/1.1 20 OK", want: "refused" },
  { name: "another version", head: "HTTP/2.0 200 OK", want: "refused" },
  { name: "a folded header", head: "HTTP/1.1 200 OK\r\nX: a\r\n b", want: "refused" },
];

describe("where the body of a response ends", () => {
  for (const { name, head, method = "GET", want } of responses)
    it(name, () => {
      let found: unknown;
      try {
        found = responseFraming(parseResponseHead(head), method);
      } catch (error) {
        expect(error).toBeInstanceOf(Http1Error);
        found = "refused";
      }
      expect(found).toEqual(want);
    });
});
