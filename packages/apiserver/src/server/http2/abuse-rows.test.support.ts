import {
  asking,
  data,
  type Fields,
  flag,
  frame,
  goAway,
  headers,
  ping,
  reset,
  settings,
  type,
  windowUpdate,
} from "./abuse-client.test.support.js";

/** Frames for a connection that has just been opened, and what comes of stream 1 (or `stream`); see `settle` for the words. */
export interface AbuseRow {
  readonly name: string;
  readonly frames: readonly Buffer[];
  /** @default 1 */
  readonly stream?: number;
  readonly want: string;
  /** All headers of the answer, apart from its date. */
  readonly head?: Readonly<Record<string, string>>;
}

const path = "/api/v1/namespaces/default";
const maps = "/api/v1/namespaces/default/configmaps";
const get = (...more: Fields): Fields => asking(path, "GET", more);
const without = (name: string, more: Fields = []): Fields => [...get().filter((field) => field[0] !== name), ...more];
const instead = (name: string, value: string): Fields =>
  get().map((field) => (field[0] === name ? [name, value] : field));
const post = (more: Fields = [], at = maps): Fields =>
  asking(at, "POST", [["content-type", "application/json"], ...more]);
const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"}}';
const open = flag.endHeaders;
const padding = (bytes: number): Fields =>
  Array.from(
    { length: Math.ceil(bytes / 1000) },
    (_, at) => [`x-${at}`, "v".repeat(1000 - 32 - `x-${at}`.length)] as const,
  );
/** A block of headers over as many frames as it needs. */
function long(stream: number, fields: Fields): Buffer[] {
  const block = headers(stream, fields).subarray(9);
  const parts = Array.from({ length: Math.ceil(block.length / 16_384) }, (_, at) =>
    block.subarray(at * 16_384, (at + 1) * 16_384),
  );
  return parts.map((part, at) =>
    frame(
      at === 0 ? type.headers : type.continuation,
      (at === 0 ? flag.endStream : 0) | (at === parts.length - 1 ? flag.endHeaders : 0),
      stream,
      part,
    ),
  );
}
const dependingOn = (stream: number): Buffer => Buffer.from([0, 0, 0, stream, 16]);

export const rows: readonly AbuseRow[] = [
  { name: "a plain request", frames: [headers(1, get())], want: "200" },

  { name: "an upper-case header name", frames: [headers(1, get(["X-Upper", "v"]))], want: "reset PROTOCOL_ERROR" },
  { name: "a header name with a space", frames: [headers(1, get(["x y", "v"]))], want: "reset PROTOCOL_ERROR" },
  { name: "an empty header name", frames: [headers(1, get(["", "v"]))], want: "reset PROTOCOL_ERROR" },
  {
    name: "a line break in a header value",
    frames: [headers(1, get(["x-a", "a\r\nb: c"]))],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "a zero byte in a header value", frames: [headers(1, get(["x-a", "a\0b"]))], want: "reset PROTOCOL_ERROR" },
  { name: "a space before a header value", frames: [headers(1, get(["x-a", " a"]))], want: "200" },
  {
    name: "connection: keep-alive",
    frames: [headers(1, get(["connection", "keep-alive"]))],
    want: '400 request header "Connection" is not valid in HTTP/2',
    head: {
      ":status": "400",
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-length": "51",
    },
  },
  {
    name: "keep-alive",
    frames: [headers(1, get(["keep-alive", "timeout=5"]))],
    want: '400 request header "Keep-Alive" is not valid in HTTP/2',
  },
  {
    name: "proxy-connection",
    frames: [headers(1, get(["proxy-connection", "keep-alive"]))],
    want: '400 request header "Proxy-Connection" is not valid in HTTP/2',
  },
  {
    name: "transfer-encoding: chunked",
    frames: [headers(1, get(["transfer-encoding", "chunked"]))],
    want: '400 request header "Transfer-Encoding" is not valid in HTTP/2',
  },
  {
    name: "upgrade: websocket",
    frames: [headers(1, get(["upgrade", "websocket"]))],
    want: '400 request header "Upgrade" is not valid in HTTP/2',
  },
  {
    name: "te: gzip",
    frames: [headers(1, get(["te", "gzip"]))],
    want: '400 request header "TE" may only be "trailers" in HTTP/2',
  },
  { name: "te: trailers", frames: [headers(1, get(["te", "trailers"]))], want: "200" },

  { name: "no :method", frames: [headers(1, without(":method"))], want: "reset PROTOCOL_ERROR" },
  { name: "no :scheme", frames: [headers(1, without(":scheme"))], want: "reset PROTOCOL_ERROR" },
  { name: "no :path", frames: [headers(1, without(":path"))], want: "reset PROTOCOL_ERROR" },
  { name: "no :authority and no host", frames: [headers(1, without(":authority"))], want: "200" },
  {
    name: "host instead of :authority",
    frames: [headers(1, without(":authority", [["host", "127.0.0.1"]]))],
    want: "200",
  },
  { name: "host that differs from :authority", frames: [headers(1, get(["host", "elsewhere"]))], want: "200" },
  { name: ":authority that is no host", frames: [headers(1, instead(":authority", "a b/c"))], want: "200" },
  { name: ":method twice", frames: [headers(1, [[":method", "GET"], ...get()])], want: "reset PROTOCOL_ERROR" },
  { name: ":path twice", frames: [headers(1, [...get(), [":path", path]])], want: "reset PROTOCOL_ERROR" },
  { name: ":authority twice", frames: [headers(1, [...get(), [":authority", "b"]])], want: "reset PROTOCOL_ERROR" },
  {
    name: "a pseudo header that there is not",
    frames: [headers(1, [[":nonsense", "a"], ...get()])],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "a pseudo header of answers",
    frames: [headers(1, [...get(), [":status", "200"]])],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "a pseudo header behind others",
    frames: [headers(1, [["x-a", "a"], ...get()])],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "an empty :path", frames: [headers(1, instead(":path", ""))], want: "reset PROTOCOL_ERROR" },
  { name: "a :path without a slash", frames: [headers(1, instead(":path", "api/v1"))], want: "reset PROTOCOL_ERROR" },
  {
    name: "a :path that is a whole address",
    frames: [headers(1, instead(":path", `https://127.0.0.1${path}`))],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "a :path with a broken escape",
    frames: [headers(1, instead(":path", "/api/%zz"))],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "a :path with a space", frames: [headers(1, instead(":path", "/api v1"))], want: "404 404 page not found" },
  {
    name: "a :path with bytes that are no ASCII",
    frames: [headers(1, instead(":path", "/api/\xe9"))],
    want: "404 the server could not find the requested resource",
  },
  { name: "GET *", frames: [headers(1, instead(":path", "*"))], want: "404 404 page not found" },
  { name: "OPTIONS *", frames: [headers(1, asking("*", "OPTIONS"))], want: "200" },
  {
    name: "a scheme that is not HTTP's",
    frames: [headers(1, instead(":scheme", "ftp"))],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "http instead of https", frames: [headers(1, instead(":scheme", "http"))], want: "200" },
  {
    name: "a method in lower case",
    frames: [headers(1, instead(":method", "get"))],
    want: "405 the server does not allow this method on the requested resource",
  },
  {
    name: "a method that there is not",
    frames: [headers(1, instead(":method", "BREW"))],
    want: "405 the server does not allow this method on the requested resource",
  },
  {
    name: "a method with a space",
    frames: [headers(1, instead(":method", "G T"))],
    want: "405 the server does not allow this method on the requested resource",
  },
  {
    name: "TRACE",
    frames: [headers(1, instead(":method", "TRACE"))],
    want: "405 the server does not allow this method on the requested resource",
  },
  {
    name: "CONNECT to somewhere",
    frames: [
      headers(1, [
        [":method", "CONNECT"],
        [":authority", "10.0.0.1:443"],
      ]),
    ],
    want: "404 404 page not found",
  },
  { name: "CONNECT with a path", frames: [headers(1, instead(":method", "CONNECT"))], want: "reset PROTOCOL_ERROR" },
  {
    name: "CONNECT for another protocol",
    frames: [headers(1, [...instead(":method", "CONNECT"), [":protocol", "websocket"]])],
    want: "reset PROTOCOL_ERROR",
  },

  { name: "100 kB of headers", frames: long(1, get(...padding(100_000))), want: "200" },
  {
    name: "a thousand headers",
    frames: long(1, get(...Array.from({ length: 1000 }, (_, at) => [`x-${at}`, "v"] as const))),
    want: "200",
  },
  { name: "1 MiB of headers, less a little", frames: long(1, get(...padding((1 << 20) - 2000))), want: "200" },
  {
    name: "1 MiB of headers and a little",
    frames: long(1, get(...padding((1 << 20) + 2000))),
    want: "431 <h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>",
    head: { ":status": "431", "content-type": "text/html; charset=utf-8", "content-length": "63" },
  },
  { name: "1.5 MiB of headers", frames: long(1, get(...padding(3 << 19))), want: "goaway PROTOCOL_ERROR" },
  { name: "one header of 2 MiB", frames: long(1, get(["x-a", "v".repeat(2 << 20)])), want: "goaway COMPRESSION_ERROR" },
  {
    name: "a header with an index that there is not",
    frames: [frame(type.headers, flag.endStream | flag.endHeaders, 1, Buffer.from([0xff, 0x20]))],
    want: "goaway COMPRESSION_ERROR",
  },
  {
    name: "a block of headers that ends too early",
    frames: [frame(type.headers, flag.endStream | flag.endHeaders, 1, Buffer.from([0x00, 0x05, 0x61]))],
    want: "goaway COMPRESSION_ERROR",
  },
  {
    name: "a table of headers larger than allowed",
    frames: [frame(type.headers, flag.endStream | flag.endHeaders, 1, Buffer.from([0x3f, 0xff, 0xff, 0x03]))],
    want: "goaway COMPRESSION_ERROR",
  },

  { name: "a body", frames: [headers(1, post(), open), data(1, body, flag.endStream)], want: "201" },
  {
    name: "a body in frames of one byte",
    frames: [
      headers(1, post(), open),
      ...[...body].map((byte, at) => data(1, byte, at === body.length - 1 ? flag.endStream : 0)),
    ],
    want: "201",
  },
  {
    name: "a head in frames of one byte",
    frames: long(1, get()).flatMap((whole) =>
      [...whole.subarray(9)].map((byte, at, all) =>
        frame(
          at === 0 ? type.headers : type.continuation,
          (at === 0 ? flag.endStream : 0) | (at === all.length - 1 ? flag.endHeaders : 0),
          1,
          Buffer.of(byte),
        ),
      ),
    ),
    want: "200",
  },
  {
    name: "a content-length above the body's length",
    frames: [headers(1, post([["content-length", String(body.length + 5)]]), open), data(1, body, flag.endStream)],
    want: "500 request declared a Content-Length of 75 but only wrote 70 bytes",
  },
  {
    name: "a content-length below the body's length",
    frames: [headers(1, post([["content-length", String(body.length - 5)]]), open), data(1, body, flag.endStream)],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "a content-length that is no number",
    frames: [headers(1, post([["content-length", "many"]]), open), data(1, body, flag.endStream)],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "two content-lengths that differ",
    frames: [
      headers(
        1,
        post([
          ["content-length", String(body.length)],
          ["content-length", "1"],
        ]),
        open,
      ),
      data(1, body, flag.endStream),
    ],
    want: "201",
  },
  {
    name: "a content-length and no body",
    frames: [headers(1, post([["content-length", "5"]]))],
    want: "400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  },
  {
    name: "a body where none is expected",
    frames: [headers(1, get(), open), data(1, "{}", flag.endStream)],
    want: "200",
  },
  {
    name: "trailers",
    frames: [headers(1, post([["trailer", "x-sum"]]), open), data(1, body), headers(1, [["x-sum", "1"]])],
    want: "201",
  },
  {
    name: "trailers that nobody announced",
    frames: [headers(1, post(), open), data(1, body), headers(1, [["x-sum", "1"]])],
    want: "201",
  },
  {
    name: "trailers with a pseudo header",
    frames: [headers(1, post(), open), data(1, body), headers(1, [[":path", "/"]])],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "trailers that are not the end",
    frames: [headers(1, post(), open), data(1, body), headers(1, [["x-sum", "1"]], open)],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "expect: 100-continue where the body is read",
    frames: [headers(1, post([["expect", "100-continue"]]), open), data(1, body, flag.endStream)],
    want: "100, 201",
  },
  {
    name: "expect: 100-continue where nobody reads the body",
    frames: [headers(1, post([["expect", "100-continue"]], "/nowhere"), open)],
    want: "404 404 page not found, then reset NO_ERROR",
  },
  { name: "expect: 100-continue without a body", frames: [headers(1, get(["expect", "100-continue"]))], want: "200" },
  { name: "expect: something else", frames: [headers(1, get(["expect", "a-miracle"]))], want: "200" },
  { name: "HEAD", frames: [headers(1, instead(":method", "HEAD"))], want: "405" },

  { name: "DATA before HEADERS", frames: [data(1, "a")], want: "goaway PROTOCOL_ERROR" },
  { name: "DATA on no stream", frames: [data(0, "a")], want: "goaway PROTOCOL_ERROR" },
  { name: "HEADERS on no stream", frames: [headers(0, get())], want: "goaway PROTOCOL_ERROR" },
  { name: "HEADERS on a stream of the server's", frames: [headers(2, get())], want: "goaway PROTOCOL_ERROR" },
  {
    name: "HEADERS on an earlier stream",
    frames: [headers(5, post(), open), headers(3, get())],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "DATA after the end of a request that waits",
    frames: [headers(1, asking(`${maps}?watch=1`)), data(1, "a")],
    want: "reset STREAM_CLOSED",
  },
  {
    name: "HEADERS after the end of a request that waits",
    frames: [headers(1, asking(`${maps}?watch=1`)), headers(1, get())],
    want: "reset STREAM_CLOSED",
  },
  {
    name: "DATA after a reset",
    frames: [headers(1, post(), open), reset(1), data(1, "a"), headers(3, get())],
    stream: 3,
    want: "200",
  },
  {
    name: "HEADERS after a reset",
    frames: [headers(1, post(), open), reset(1), headers(1, get()), headers(3, get())],
    stream: 3,
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "WINDOW_UPDATE after a reset",
    frames: [headers(1, post(), open), reset(1), windowUpdate(1, 5), headers(3, get())],
    stream: 3,
    want: "200",
  },
  { name: "a reset of a stream that never was", frames: [reset(1)], want: "goaway PROTOCOL_ERROR" },
  { name: "WINDOW_UPDATE of a stream that never was", frames: [windowUpdate(1, 5)], want: "goaway PROTOCOL_ERROR" },
  {
    name: "WINDOW_UPDATE by nothing on a stream",
    frames: [headers(1, post(), open), windowUpdate(1, 0)],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "WINDOW_UPDATE by nothing on the connection", frames: [windowUpdate(0, 0)], want: "goaway PROTOCOL_ERROR" },
  {
    name: "WINDOW_UPDATE that overflows on a stream",
    frames: [headers(1, post(), open), windowUpdate(1, 0x7fffffff)],
    want: "reset FLOW_CONTROL_ERROR",
  },
  {
    name: "WINDOW_UPDATE that overflows on the connection",
    frames: [windowUpdate(0, 0x7fffffff)],
    want: "goaway FLOW_CONTROL_ERROR",
  },
  {
    name: "WINDOW_UPDATE of three bytes",
    frames: [frame(type.windowUpdate, 0, 0, "abc")],
    want: "goaway FRAME_SIZE_ERROR",
  },
  {
    name: "PRIORITY of a stream on itself",
    frames: [frame(type.priority, 0, 1, dependingOn(1))],
    want: "reset PROTOCOL_ERROR",
  },
  {
    name: "HEADERS with a priority on itself",
    frames: [
      frame(
        type.headers,
        flag.endStream | flag.endHeaders | flag.priority,
        1,
        Buffer.concat([dependingOn(1), headers(1, get()).subarray(9)]),
      ),
    ],
    want: "reset PROTOCOL_ERROR",
  },
  { name: "PRIORITY of four bytes", frames: [frame(type.priority, 0, 1, "abcd")], want: "goaway FRAME_SIZE_ERROR" },
  {
    name: "a reset of three bytes",
    frames: [headers(1, post(), open), frame(type.reset, 0, 1, "abc")],
    want: "goaway FRAME_SIZE_ERROR",
  },
  {
    name: "more padding than there is",
    frames: [headers(1, post(), open), frame(type.data, flag.padded, 1, Buffer.from([9, 1]))],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "padding",
    frames: [
      headers(1, post(), open),
      frame(type.data, flag.padded | flag.endStream, 1, Buffer.concat([Buffer.of(3), Buffer.from(`${body}\0\0\0`)])),
    ],
    want: "201",
  },
  { name: "a PING of seven bytes", frames: [ping("1234567")], want: "goaway FRAME_SIZE_ERROR" },
  { name: "a PING on a stream", frames: [frame(type.ping, 0, 1, "12345678")], want: "goaway PROTOCOL_ERROR" },
  {
    name: "an answer to a PING that was not sent",
    frames: [ping("12345678", flag.ack), headers(1, get())],
    want: "200",
  },
  { name: "SETTINGS on a stream", frames: [frame(type.settings, 0, 1)], want: "goaway PROTOCOL_ERROR" },
  { name: "SETTINGS of five bytes", frames: [frame(type.settings, 0, 0, "abcde")], want: "goaway FRAME_SIZE_ERROR" },
  {
    name: "an acknowledgement of SETTINGS with more in it",
    frames: [frame(type.settings, flag.ack, 0, "abcdef")],
    want: "goaway FRAME_SIZE_ERROR",
  },
  {
    name: "an acknowledgement of SETTINGS that were not sent",
    frames: [frame(type.settings, flag.ack, 0), headers(1, get())],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "a setting sent twice",
    frames: [
      settings([
        [4, 1],
        [4, 65_535],
      ]),
      headers(1, get()),
    ],
    want: "goaway PROTOCOL_ERROR",
  },
  { name: "a setting that there is not", frames: [settings([[0x99, 1]]), headers(1, get())], want: "200" },
  { name: "SETTINGS_ENABLE_PUSH of 2", frames: [settings([[2, 2]])], want: "goaway PROTOCOL_ERROR" },
  {
    name: "a window larger than there can be",
    frames: [settings([[4, 0x80000000]])],
    want: "goaway FLOW_CONTROL_ERROR",
  },
  { name: "frames of one byte at most", frames: [settings([[5, 1]])], want: "goaway PROTOCOL_ERROR" },
  { name: "GOAWAY on a stream", frames: [frame(type.goAway, 0, 1, "12345678")], want: "goaway PROTOCOL_ERROR" },
  { name: "GOAWAY before a request", frames: [goAway(0), headers(1, get())], want: "closed" },
  {
    name: "a promise to the server",
    frames: [
      headers(1, post(), open),
      frame(type.push, flag.endHeaders, 1, Buffer.concat([Buffer.from([0, 0, 0, 2]), headers(1, get()).subarray(9)])),
    ],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "a frame of a kind that there is not",
    frames: [frame(0x99, 0xff, 7, "abc"), headers(1, get())],
    want: "200",
  },
  {
    name: "another frame among those of a head",
    frames: [headers(1, get(), flag.endStream), ping()],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "CONTINUATION of nothing",
    frames: [frame(type.continuation, flag.endHeaders, 1, "")],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "CONTINUATION of another stream",
    frames: [headers(1, get(), flag.endStream), frame(type.continuation, flag.endHeaders, 3, "")],
    want: "goaway PROTOCOL_ERROR",
  },
  {
    name: "a frame that is longer than allowed",
    frames: [headers(1, post(), open), data(1, Buffer.alloc(1 << 21))],
    want: "goaway FRAME_SIZE_ERROR",
  },
  {
    name: "more data than there is room for, where nobody reads it",
    frames: [
      headers(1, asking(`${maps}?watch=1`), open),
      ...Array.from({ length: 130 }, () => data(1, Buffer.alloc(16_384, " "))),
    ],
    want: "reset FLOW_CONTROL_ERROR",
  },
];
