/** Bytes for a connection of HTTP/1.1 that has just been opened, and what comes of them; see `outcome` for the words. */
export interface Http1AbuseRow {
  readonly name: string;
  readonly sent: string;
  /** The client ends its side of the connection behind it. */
  readonly ends?: boolean;
  /** What kube-apiserver does. */
  readonly want: string;
  /** Where we do otherwise: what, and why. */
  readonly ours?: readonly [want: string, why: string];
}

const path = "/api/v1/namespaces/default";
const maps = `${path}/configmaps`;
const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"}}';
const length = `Content-Length: ${object.length}\r\n`;

const get = (headers = "", target = path): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const line = (first: string, headers = "Host: x\r\n"): string => `${first}\r\n${headers}\r\n`;
const post = (headers: string, body: string): string =>
  `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
const chunked = (...chunks: string[]): string => post("Transfer-Encoding: chunked\r\n", chunks.join(""));
const whole = `${object.length.toString(16)}\r\n${object}\r\n`;
/** A request in the place of a body: a server that disagrees on where the body ends answers it. */
const smuggled = `DELETE ${maps}/victim HTTP/1.1\r\nHost: x\r\n\r\n`;

/**
 * Why the bytes are answered otherwise than by Go: Node's parser (llhttp) reads them, and cannot be configured otherwise.
 * None of these lets one request be read as two.
 */
const strict = "Node's parser refuses what Go's tolerates";
const lenient = "Node's parser tolerates it, as RFC 9112 (2.2) allows";
const methods = "Node's parser knows a list of methods, and refuses all others before they are a request";
const wording = "refused before it is a request, in other words";
const lengths = "a message with two lengths is refused, as RFC 9112 (6.3) allows: it may be an attempt at smuggling";
const chunks = "a broken chunk is the client's mistake; Go's error becomes a 500";
const taken = "Node's parser lets go of a connection that asks for an upgrade, so it ends with the answer";

export const rows: readonly Http1AbuseRow[] = [
  { name: "a plain request", sent: get(), want: "200, open" },
  { name: "twenty requests at once", sent: get().repeat(20), want: `${"200, ".repeat(20)}open` },
  { name: "a POST and a GET at once", sent: post(length, object) + get(), want: "201, 200, open" },

  // The request line (RFC 9112, section 3).
  { name: "HTTP/1.0 without a host", sent: line(`GET ${path} HTTP/1.0`, ""), want: "200, closed" },
  {
    name: "HTTP/1.0 that keeps its connection",
    sent: line(`GET ${path} HTTP/1.0`, "Connection: keep-alive\r\n"),
    want: "200, open",
  },
  {
    name: "HTTP/1.2",
    sent: line(`GET ${path} HTTP/1.2`),
    want: "200, open",
    ours: ["400 Bad Request, closed", strict],
  },
  {
    name: "HTTP/3.0",
    sent: line(`GET ${path} HTTP/3.0`),
    want: "505 HTTP Version Not Supported: unsupported protocol version, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  { name: "a version of two digits", sent: line(`GET ${path} HTTP/1.10`), want: "400 Bad Request, closed" },
  { name: "a version in lower case", sent: line(`GET ${path} http/1.1`), want: "400 Bad Request, closed" },
  { name: "no version", sent: line(`GET ${path}`), want: "400 Bad Request, closed" },
  {
    name: "two blanks in the request line",
    sent: line(`GET  ${path} HTTP/1.1`),
    want: "400 Bad Request, closed",
    ours: ["200, open", lenient],
  },
  { name: "a tab in the request line", sent: line(`GET\t${path} HTTP/1.1`), want: "400 Bad Request, closed" },
  { name: "a blank behind the version", sent: line(`GET ${path} HTTP/1.1 `), want: "400 Bad Request, closed" },
  { name: "a blank in the target", sent: line(`GET ${path} x HTTP/1.1`), want: "400 Bad Request, closed" },
  {
    name: "an empty line before the request",
    sent: `\r\n${get()}`,
    want: "400 Bad Request, closed",
    ours: ["200, open", lenient],
  },
  {
    name: "many empty lines before the request",
    sent: `${"\r\n".repeat(50)}${get()}`,
    want: "400 Bad Request, closed",
    ours: ["200, open", lenient],
  },
  {
    name: "a method in lower case",
    sent: line(`get ${path} HTTP/1.1`),
    want: "405, open",
    ours: ["400 Bad Request, closed", methods],
  },
  {
    name: "a method that nobody knows",
    sent: line(`BREW ${path} HTTP/1.1`),
    want: "405, open",
    ours: ["400 Bad Request, closed", methods],
  },
  {
    name: "a method with a sign that is not allowed",
    sent: line(`G@T ${path} HTTP/1.1`),
    want: "400 Bad Request, closed",
  },
  {
    name: "a method of 10 KB",
    sent: line(`${"A".repeat(10_000)} ${path} HTTP/1.1`),
    want: "405, open",
    ours: ["400 Bad Request, closed", methods],
  },
  { name: "TRACE", sent: line(`TRACE ${path} HTTP/1.1`), want: "405, open" },
  {
    name: "the preface of HTTP/2",
    sent: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    want: "404 page not found, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  {
    name: "an empty line and nothing else",
    sent: "\r\n\r\n",
    want: "400 Bad Request, closed",
    ours: ["open", lenient],
  },
  {
    name: "bytes that are no HTTP",
    sent: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    want: "400 Bad Request, closed",
  },

  // The target.
  { name: "a target with its server", sent: get("", `http://elsewhere${path}`), want: "200, open" },
  { name: "a target without a slash", sent: get("", "api"), want: "400 Bad Request, closed" },
  { name: "a target with a fragment", sent: get("", `${path}#part`), want: "404, open" },
  { name: "a broken escape in the path", sent: get("", `${path}/%zz`), want: "400 Bad Request, closed" },
  { name: "an escaped zero byte in the path", sent: get("", `${path}%00`), want: "404, open" },
  { name: "an escaped slash in the path", sent: get("", "/api/v1/namespaces%2fdefault"), want: "200, open" },
  {
    name: "bytes above ASCII in the path",
    sent: get("", "/api/v1/namespaces/\xe4\xff"),
    want: "404, open",
    ours: ["400 Bad Request, closed", strict],
  },
  {
    name: "a control character in the path",
    sent: get("", "/api/v1/namespaces/\x01"),
    want: "400 Bad Request, closed",
  },
  { name: "a path that leads up", sent: get("", "/api/v1/../v1/namespaces/default"), want: "404, open" },
  { name: "a path with two slashes", sent: get("", "/api//v1/namespaces/default"), want: "404, open" },
  { name: "a path of 100,000 slashes", sent: get("", `/${"/".repeat(100_000)}`), want: "404 page not found, open" },
  { name: "a query of 100,000 members", sent: get("", `${path}?${"a=b&".repeat(100_000)}`), want: "200, open" },
  {
    name: "a target of 2 MiB",
    sent: get("", `/${"a".repeat(2 << 20)}`),
    want: "431 Request Header Fields Too Large, closed",
  },

  // Headers (RFC 9112, section 5).
  {
    name: "5,000 headers",
    sent: get(Array.from({ length: 5000 }, (_, at) => `X-${at}: v\r\n`).join("")),
    want: "200, open",
  },
  {
    name: "2 MiB of headers",
    sent: get(`X: ${"v".repeat(1000)}\r\n`.repeat(2100)),
    want: "431 Request Header Fields Too Large, closed",
  },
  {
    name: "a header of 2 MiB",
    sent: get(`X: ${"v".repeat(2 << 20)}\r\n`),
    want: "431 Request Header Fields Too Large, closed",
  },
  {
    name: "a blank before the colon",
    sent: get("X : v\r\n"),
    want: "400 Bad Request: invalid header name, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  { name: "a header without a colon", sent: get("X\r\n"), want: "400 Bad Request, closed" },
  { name: "a header without a name", sent: get(": v\r\n"), want: "400 Bad Request, closed" },
  {
    name: "a header name with a blank",
    sent: get("X Y: v\r\n"),
    want: "400 Bad Request: invalid header name, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  { name: "a header name with a byte above ASCII", sent: get("X\xe4: v\r\n"), want: "400 Bad Request, closed" },
  { name: "a header value with bytes above ASCII", sent: get("X: \xe4\xff\r\n"), want: "200, open" },
  { name: "a zero byte in a header value", sent: get("X: a\0b\r\n"), want: "400 Bad Request, closed" },
  { name: "a control character in a header value", sent: get("X: a\x01b\r\n"), want: "400 Bad Request, closed" },
  { name: "a carriage return in a header value", sent: get("X: a\rb: c\r\n"), want: "400 Bad Request, closed" },
  {
    name: "a header folded over two lines",
    sent: get("X: a\r\n b\r\n"),
    want: "200, open",
    ours: ["400 Bad Request, closed", strict],
  },
  {
    name: "the first header begins with a blank",
    sent: `GET ${path} HTTP/1.1\r\n Host: x\r\n\r\n`,
    want: "400 Bad Request, closed",
  },
  {
    name: "line feeds alone end the lines",
    sent: get("X: v\r\n").replaceAll("\r\n", "\n"),
    want: "200, open",
    ours: ["400 Bad Request, closed", strict],
  },
  {
    name: "no host",
    sent: line(`GET ${path} HTTP/1.1`, ""),
    want: "400 Bad Request: missing required Host header, closed",
  },
  { name: "two hosts", sent: get("Host: y\r\n"), want: "400 Bad Request, closed" },
  {
    name: "a host that is none",
    sent: line(`GET ${path} HTTP/1.1`, "Host: a b\r\n"),
    want: "400 Bad Request: malformed Host header, closed",
  },
  { name: "an empty host", sent: line(`GET ${path} HTTP/1.1`, "Host:\r\n"), want: "200, open" },
  { name: "Connection: close", sent: get("Connection: close\r\n"), want: "200, closed" },
  { name: "Connection: close among others, in capitals", sent: get("Connection: x, CLOSE\r\n"), want: "200, closed" },
  { name: "100,000 blanks in Accept", sent: get(`Accept: a${" ".repeat(100_000)}b\r\n`), want: "406, open" },
  {
    name: "Accept with a value quoted and escaped without end",
    sent: get(`Accept: a/b;c="${"\\!".repeat(10_000)}\r\n`),
    want: "406, open",
  },

  // Where a body ends (RFC 9112, section 6): what request smuggling is made of.
  { name: "a GET with a body", sent: get("Content-Length: 5\r\n") + "hello", want: "200, open" },
  {
    name: "a GET whose body looks like a request",
    sent: get(`Content-Length: ${smuggled.length}\r\n`) + smuggled,
    want: "200, open",
  },
  {
    name: "a length of zero and a request behind it",
    sent: get("Content-Length: 0\r\n") + get(),
    want: "200, 200, open",
  },
  {
    name: "two equal lengths",
    sent: post(length + length, object),
    want: "201, open",
    ours: ["400 Bad Request, closed", lengths],
  },
  {
    name: "two different lengths",
    sent: post(`${length}Content-Length: 5\r\n`, object),
    want: "400 Bad Request, closed",
  },
  {
    name: "two equal lengths in one header",
    sent: post(`Content-Length: ${object.length}, ${object.length}\r\n`, object),
    want: "400 Bad Request, closed",
  },
  { name: "a negative length", sent: post("Content-Length: -5\r\n", object), want: "400 Bad Request, closed" },
  {
    name: "a length with a plus",
    sent: post(`Content-Length: +${object.length}\r\n`, object),
    want: "400 Bad Request, closed",
  },
  { name: "a hexadecimal length", sent: post("Content-Length: 0x46\r\n", object), want: "400 Bad Request, closed" },
  { name: "an empty length", sent: post("Content-Length:\r\n", ""), want: "400 Bad Request, closed" },
  {
    name: "a length beyond 2^63",
    sent: post("Content-Length: 99999999999999999999\r\n", object),
    want: "400 Bad Request, closed",
  },
  { name: "a length of 4 GB", sent: post("Content-Length: 4294967296\r\n", object), ends: true, want: "closed" },
  { name: "chunks", sent: chunked(whole, "0\r\n\r\n"), want: "201, open" },
  {
    name: "chunks and a length",
    sent: post(`Transfer-Encoding: chunked\r\nContent-Length: 5\r\n`, `${whole}0\r\n\r\n`),
    want: "201, open",
    ours: ["400 Bad Request, closed", lengths],
  },
  {
    name: "a length and chunks that end before a request",
    sent: post(`Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${smuggled}`),
    want: "400, 404, open",
    ours: ["501 Unsupported transfer encoding, closed", lengths],
  },
  {
    name: "Transfer-Encoding: identity",
    sent: post(`Transfer-Encoding: identity\r\n${length}`, object),
    want: "501 Unsupported transfer encoding, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  {
    name: "Transfer-Encoding: gzip, chunked",
    sent: post("Transfer-Encoding: gzip, chunked\r\n", `${whole}0\r\n\r\n`),
    want: "501 Unsupported transfer encoding, closed",
  },
  {
    name: "Transfer-Encoding: chunked, chunked",
    sent: post("Transfer-Encoding: chunked, chunked\r\n", `${whole}0\r\n\r\n`),
    want: "501 Unsupported transfer encoding, closed",
  },
  {
    name: "Transfer-Encoding twice",
    sent: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", `${whole}0\r\n\r\n`),
    want: "501 Unsupported transfer encoding, closed",
  },
  {
    name: "Transfer-Encoding: xchunked",
    sent: post("Transfer-Encoding: xchunked\r\n", `${whole}0\r\n\r\n`),
    want: "501 Unsupported transfer encoding, closed",
  },
  {
    name: "Transfer-Encoding with a vertical tab",
    sent: post("Transfer-Encoding: \x0bchunked\r\n", `${whole}0\r\n\r\n`),
    want: "400 Bad Request, closed",
  },
  {
    name: "Transfer-Encoding with a blank before the colon",
    sent: post("Transfer-Encoding : chunked\r\n", `${whole}0\r\n\r\n`),
    want: "400 Bad Request: invalid header name, closed",
    ours: ["400 Bad Request, closed", wording],
  },
  {
    name: "Transfer-Encoding in capitals",
    sent: post("TRANSFER-ENCODING: CHUNKED\r\n", `${whole}0\r\n\r\n`),
    want: "201, open",
  },
  {
    name: "chunks in HTTP/1.0",
    sent: chunked(whole, "0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0"),
    want: "400, closed",
    ours: [
      "400 Bad Request, closed",
      "refused: HTTP/1.0 has no chunks, and a proxy that ignores them reads another body",
    ],
  },
  {
    name: "a chunk size that is no number",
    sent: chunked(`xyz\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "a chunk size beyond 2^64",
    sent: chunked(`FFFFFFFFFFFFFFFFF\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "a negative chunk size",
    sent: chunked(`-1\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "a chunk size with 0x",
    sent: chunked(`0x46\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "a blank before a chunk size",
    sent: chunked(` ${whole}`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  { name: "a chunk with an extension", sent: chunked(`46;a=b\r\n${object}\r\n`, "0\r\n\r\n"), want: "201, open" },
  {
    name: "a chunk with an extension of 5 KB",
    sent: chunked(`46;${"a".repeat(5000)}\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["201, open", "Node's parser allows 16 KiB of extensions, Go's 4 KiB"],
  },
  {
    name: "a chunk longer than its size",
    sent: chunked(`5\r\n${object}\r\n`, "0\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "chunks whose lines end with line feeds",
    sent: chunked(`46\n${object}\n`, "0\n\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },
  {
    name: "10,000 chunks of one byte",
    sent: chunked(...Array.from({ length: 10_000 }, () => "1\r\n \r\n"), whole, "0\r\n\r\n"),
    want: "201, open",
  },
  { name: "a trailer", sent: chunked(whole, "0\r\nX-A: b\r\n\r\n"), want: "201, open" },
  {
    name: "a trailer that would name another user",
    sent: chunked(whole, "0\r\nImpersonate-User: bob\r\n\r\n"),
    want: "201, open",
  },
  {
    name: "a trailer with a length",
    sent: chunked(whole, `0\r\nContent-Length: 5\r\n\r\n`),
    want: "201, open",
    ours: ["400 Bad Request, closed", lengths],
  },
  {
    name: "a trailer that is no header",
    sent: chunked(whole, "0\r\nno header\r\n\r\n"),
    want: "500, closed",
    ours: ["400 Bad Request, closed", chunks],
  },

  // Clients that leave in the middle.
  { name: "the end in the request line", sent: "GET /api/v1/name", ends: true, want: "closed" },
  { name: "the end in the headers", sent: `GET ${path} HTTP/1.1\r\nHost: x\r\nX-A: b`, ends: true, want: "closed" },
  { name: "the end before the body", sent: post(length, ""), ends: true, want: "closed" },
  { name: "the end in the body", sent: post(length, object.slice(0, 10)), ends: true, want: "closed" },
  { name: "the end in a chunk", sent: chunked(whole.slice(0, 20)), ends: true, want: "closed" },
  { name: "the end before the last chunk", sent: chunked(whole), ends: true, want: "closed" },
  { name: "the end behind a whole request", sent: get(), ends: true, want: "closed" },
  { name: "the end behind twenty requests", sent: get().repeat(20), ends: true, want: "closed" },

  // Expectations and upgrades.
  {
    name: "Expect: 100-continue, with the body at once",
    sent: post(`Expect: 100-continue\r\n${length}`, object),
    want: "100, 201, open",
  },
  {
    name: "Expect: 100-continue, without a body",
    sent: get("Expect: 100-continue\r\n"),
    want: "200, open",
    ours: ["200, closed", "a connection whose client waits for our word is not used again"],
  },
  { name: "another expectation", sent: get("Expect: cake\r\n"), want: "417, closed" },
  {
    name: "Upgrade: h2c",
    sent: get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"),
    want: "200, open",
    ours: ["200, closed", taken],
  },
  {
    name: "Upgrade: websocket on a resource",
    sent: get(
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
    ),
    want: "200, open",
    ours: ["200, closed", taken],
  },
  {
    name: "Upgrade: SPDY/3.1 on a resource",
    sent: get("Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n"),
    want: "200, open",
    ours: ["200, closed", taken],
  },
  { name: "Upgrade without Connection", sent: get("Upgrade: websocket\r\n"), want: "200, open" },
  { name: "Connection: Upgrade without Upgrade", sent: get("Connection: Upgrade\r\n"), want: "200, open" },
  {
    name: "an upgrade with a body",
    sent: post(`Connection: Upgrade\r\nUpgrade: websocket\r\n${length}`, object),
    want: "201, open",
    ours: ["201, closed", taken],
  },
  { name: "exec without an upgrade", sent: get("", `${path}/pods/a/exec?command=x`), want: "404, open" },
  {
    name: "CONNECT to another server",
    sent: line("CONNECT example.com:443 HTTP/1.1", "Host: example.com:443\r\n"),
    want: "404 page not found, open",
    ours: ["404 page not found, closed", taken],
  },
  {
    name: "CONNECT to a path",
    sent: line(`CONNECT ${path} HTTP/1.1`),
    want: "405, open",
    ours: ["405, closed", taken],
  },
];
