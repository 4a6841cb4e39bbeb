import { connect } from "node:net";
import {
  decodeFrame,
  decodeJsonFrame,
  encodeJsonFrame,
  type Frame,
  frameKind,
  type OpenFrame,
} from "@coxswain/client/socket";
import { describe, expect, it } from "vitest";
import {
  codeOf,
  dataFrame,
  exchange,
  frame,
  openFrame,
  openSocket,
  raw,
  relayWithout,
  request,
  statusOf,
  type TestRelay,
  upgradeHeaders,
} from "./relay.test.support.js";

/**
 * Each attack is refused by the guard that its row names, and succeeds against a relay that the test builds without that guard: so
 * each guard is needed, and none of the attacks is refused by accident.
 */
interface Attack {
  readonly name: string;
  readonly guard: string;
  /** Other guards that refuse it too, where two stand in the same way. */
  readonly also?: readonly string[];
  readonly readOnly?: boolean;
  readonly hasClock?: boolean;
  /** Whether the attacker got what they wanted. */
  succeeds(relay: TestRelay): Promise<boolean>;
}

const get =
  (headers: Readonly<Record<string, string | undefined>>, path = "/") =>
  async (relay: TestRelay) =>
    statusOf(await raw(relay, request(relay, `GET ${path}`, { Connection: "close", ...headers }))) === 200;

const upgrade = (headers: Readonly<Record<string, string | undefined>>) => async (relay: TestRelay) =>
  statusOf(await raw(relay, request(relay, "GET /relay", { ...upgradeHeaders, ...headers }))) === 101;

const post = (headers: Readonly<Record<string, string | undefined>>) => async (relay: TestRelay) =>
  statusOf(await exchange(relay, codeOf(relay), headers)) === 200;

/** The request reached the API server. */
const reaches = (open: Partial<OpenFrame>) => async (relay: TestRelay) => {
  const { websocket, received } = await openSocket(relay);
  websocket.send(openFrame(1, open));
  if (open.hasBody) websocket.send(frame(frameKind.end, 1));
  await received(2);
  websocket.close();
  return relay.upstream.seen.length > 0;
};

/** The upgrade was passed on: the test's server refuses it with an error. */
const upgrades = (open: Partial<OpenFrame>) => async (relay: TestRelay) => {
  const { websocket, received } = await openSocket(relay);
  websocket.send(openFrame(1, { upgrade: ["v5.channel.k8s.io"], ...open }));
  const [, answer] = await received(2);
  websocket.close();
  return answer !== undefined && decodeFrame(answer)?.kind === frameKind.reset;
};

/** The session goes on after these messages: a request that follows them is answered. */
const survives = (messages: (relay: TestRelay) => readonly (Uint8Array | string)[]) => async (relay: TestRelay) => {
  const { websocket, received, closed } = await openSocket(relay);
  for (const message of messages(relay)) websocket.send(message);
  websocket.send(openFrame(999_999, {}));
  const before = relay.upstream.seen.length;
  const ended = await Promise.race([closed.then(() => true), answered(received)]);
  websocket.close();
  return ended === false || (ended !== true && relay.upstream.seen.length > before);
};

/** So many ports are open at once. */
function forwards(count: number) {
  return async (relay: TestRelay) => {
    const { websocket, received } = await openSocket(relay);
    for (let stream = 1; stream <= count; stream++)
      websocket.send(openFrame(stream, { method: "POST", target: "/console/forwards/default/web/80" }));
    const messages = await received(1 + 2 * count);
    websocket.close();
    const statuses = messages.flatMap((message) => {
      const found = decodeFrame(message);
      return found?.kind === frameKind.head ? [(decodeJsonFrame(found) as { status: number }).status] : [];
    });
    return statuses.length === count && statuses.every((status) => status === 200);
  };
}

/** So many connections to one forwarded port are answered. */
function connectsTo(count: number) {
  return async (relay: TestRelay) => {
    const { websocket, received } = await openSocket(relay);
    websocket.send(openFrame(1, { method: "POST", target: "/console/forwards/default/web/80" }));
    const [, , state] = await received(3);
    const { port } = JSON.parse(decodeFrame(state as Buffer)!.payload.toString()) as { port: number };
    const results = await Promise.all(Array.from({ length: count }, () => echo(port)));
    websocket.close();
    return results.every((text) => text === "hello");
  };
}

/** What comes back of a word; the connection stays open until the process of the test lets go of it. */
const echo = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("hello"));
    socket.once("data", (data) => resolve(data.toString()));
    socket.once("close", () => resolve(""));
    socket.once("error", () => resolve(""));
  });

async function answered(received: (count: number) => Promise<readonly Buffer[]>): Promise<boolean> {
  for (let count = 2; ; count++) {
    const messages = await received(count);
    if (messages.some((message) => decodeFrame(message)?.stream === 999_999)) return false;
    if (messages.length < count) return true;
  }
}

const attacks: readonly Attack[] = [
  // Names: DNS rebinding
  {
    name: "another name that leads here asks for the page",
    guard: "own Host",
    also: ["own Origin"],
    succeeds: get({ Host: "evil.example:80", Origin: undefined }),
  },
  {
    name: "another name with our port",
    guard: "own Host",
    also: ["own Origin"],
    succeeds: (relay) => get({ Host: `evil.example:${relay.port}`, Origin: undefined })(relay),
  },
  { name: "our address without the port", guard: "own Host", succeeds: get({ Host: "127.0.0.1", Origin: undefined }) },
  {
    name: "our address with another port",
    guard: "own Host",
    succeeds: get({ Host: "127.0.0.1:1", Origin: undefined }),
  },
  {
    name: "another address of loopback",
    guard: "own Host",
    succeeds: (relay) => get({ Host: `127.0.0.2:${relay.port}`, Origin: undefined })(relay),
  },
  {
    name: "our address as a number",
    guard: "own Host",
    succeeds: (relay) => get({ Host: `2130706433:${relay.port}`, Origin: undefined })(relay),
  },
  {
    name: "localhost with a dot at its end",
    guard: "own Host",
    succeeds: (relay) => get({ Host: `localhost.:${relay.port}`, Origin: undefined })(relay),
  },
  {
    name: "our address as a part of a name",
    guard: "own Host",
    succeeds: (relay) => get({ Host: `127.0.0.1.evil.example:${relay.port}`, Origin: undefined })(relay),
  },
  {
    name: "a user in front of our address",
    guard: "own Host",
    succeeds: (relay) => get({ Host: `evil@127.0.0.1:${relay.port}`, Origin: undefined })(relay),
  },
  { name: "an empty Host", guard: "own Host", succeeds: get({ Host: "", Origin: undefined }) },
  {
    name: "a rebound page opens the WebSocket",
    guard: "own Host",
    also: ["own Origin"],
    succeeds: upgrade({ Host: "evil.example", Origin: "http://evil.example" }),
  },
  {
    name: "a rebound page exchanges a code",
    guard: "own Host",
    also: ["own Origin"],
    succeeds: post({ Host: "evil.example", Origin: "http://evil.example" }),
  },
  // Origins: CSRF, WebSocket hijacking
  {
    name: "a page of another site opens the WebSocket",
    guard: "own Origin",
    succeeds: upgrade({ Origin: "https://evil.example" }),
  },
  {
    name: "a page of another port opens the WebSocket",
    guard: "own Origin",
    succeeds: upgrade({ Origin: "http://127.0.0.1:9999" }),
  },
  {
    name: "a page without a port opens the WebSocket",
    guard: "own Origin",
    succeeds: upgrade({ Origin: "http://127.0.0.1" }),
  },
  {
    name: "a page of another scheme opens the WebSocket",
    guard: "own Origin",
    succeeds: (relay) => upgrade({ Origin: `https://${relay.host}` })(relay),
  },
  { name: "a file opens the WebSocket", guard: "own Origin", succeeds: upgrade({ Origin: "null" }) },
  {
    name: "a browser's extension opens the WebSocket",
    guard: "own Origin",
    succeeds: upgrade({ Origin: "chrome-extension://abcdefgh" }),
  },
  {
    name: "a program without an Origin opens the WebSocket",
    guard: "own Origin",
    succeeds: upgrade({ Origin: undefined }),
  },
  {
    name: "our origin by another of our names",
    guard: "own Origin",
    succeeds: (relay) => upgrade({ Origin: `http://localhost:${relay.port}` })(relay),
  },
  {
    name: "two origins in one header",
    guard: "own Origin",
    succeeds: (relay) => upgrade({ Origin: `http://${relay.host} http://evil.example` })(relay),
  },
  {
    name: "our origin with a path",
    guard: "own Origin",
    succeeds: (relay) => upgrade({ Origin: `http://${relay.host}/` })(relay),
  },
  {
    name: "a form of another site exchanges a code",
    guard: "own Origin",
    succeeds: post({ Origin: "https://evil.example" }),
  },
  { name: "a sandboxed frame exchanges a code", guard: "own Origin", succeeds: post({ Origin: "null" }) },
  { name: "a program without an Origin exchanges a code", guard: "own Origin", succeeds: post({ Origin: undefined }) },
  {
    name: "another site fetches the page with CORS",
    guard: "own Origin",
    succeeds: get({ Origin: "https://evil.example" }),
  },
  // Fetch metadata
  {
    name: "another site loads a script from here",
    guard: "Fetch metadata",
    succeeds: get({ Origin: undefined, "Sec-Fetch-Site": "cross-site" }),
  },
  {
    name: "a page of another port frames the page",
    guard: "Fetch metadata",
    succeeds: get({ Origin: undefined, "Sec-Fetch-Site": "same-site" }),
  },
  {
    name: "an unknown site value",
    guard: "Fetch metadata",
    succeeds: get({ Origin: undefined, "Sec-Fetch-Site": "same-origin, cross-site" }),
  },
  {
    name: "another site posts with our origin forged",
    guard: "Fetch metadata",
    succeeds: post({ "Sec-Fetch-Site": "cross-site" }),
  },
  // Methods and targets
  {
    name: "a PUT of the page",
    guard: "known method",
    also: ["no body"],
    succeeds: async (relay) => statusOf(await raw(relay, request(relay, "PUT /", { Connection: "close" }))) === 200,
  },
  {
    name: "a DELETE of the page",
    guard: "known method",
    also: ["no body"],
    succeeds: async (relay) => statusOf(await raw(relay, request(relay, "DELETE /", { Connection: "close" }))) === 200,
  },
  {
    name: "an OPTIONS that asks for CORS",
    guard: "known method",
    also: ["no body"],
    succeeds: async (relay) => statusOf(await raw(relay, request(relay, "OPTIONS /", { Connection: "close" }))) === 200,
  },
  {
    name: "a code posted to the page",
    guard: "known method",
    succeeds: async (relay) =>
      statusOf(
        await raw(relay, request(relay, "POST /", { Connection: "close" }, JSON.stringify({ code: codeOf(relay) }))),
      ) === 200,
  },
  {
    name: "an upgrade of the page",
    guard: "known method",
    succeeds: async (relay) => statusOf(await raw(relay, request(relay, "GET /", upgradeHeaders))) === 101,
  },
  {
    name: "a GET with a body, for a proxy that reads it as a request",
    guard: "no body",
    succeeds: async (relay) =>
      statusOf(await raw(relay, request(relay, "GET /", { Connection: "close", "Content-Length": "5" }, "GET /"))) ===
      200,
  },
  // Codes and keys
  {
    name: "a guessed code",
    guard: "known code",
    succeeds: async (relay) => statusOf(await exchange(relay, "AAAAAAAAAAAAAAAAAAAAAA")) === 200,
  },
  {
    name: "an empty code",
    guard: "known code",
    succeeds: async (relay) => statusOf(await exchange(relay, "")) === 200,
  },
  {
    name: "a code that is a member of every object",
    guard: "known code",
    succeeds: async (relay) => statusOf(await exchange(relay, "__proto__")) === 200,
  },
  {
    name: "a used code, from the browser's history",
    guard: "unused code",
    async succeeds(relay) {
      const code = codeOf(relay);
      await exchange(relay, code);
      return statusOf(await exchange(relay, code)) === 200;
    },
  },
  {
    name: "a code after six minutes",
    guard: "fresh code",
    async succeeds(relay) {
      const code = codeOf(relay);
      await relay.runtime.clock.advance(6 * 60_000);
      return statusOf(await exchange(relay, code)) === 200;
    },
  },
  {
    name: "thirty-two codes in a minute",
    guard: "few exchanges",
    async succeeds(relay) {
      for (let count = 0; count < 31; count++) await exchange(relay, "nothing");
      return statusOf(await exchange(relay, codeOf(relay))) === 200;
    },
  },
  {
    name: "a seventeenth session",
    guard: "few sessions",
    async succeeds(relay) {
      for (let count = 0; count < 16; count++) await exchange(relay, codeOf(relay));
      return statusOf(await exchange(relay, codeOf(relay))) === 200;
    },
  },
  {
    name: "a code as a form, which needs no permission of CORS",
    guard: "JSON",
    succeeds: post({ "Content-Type": "text/plain" }),
  },
  {
    name: "a code in a body of 2 KB",
    guard: "short exchange",
    succeeds: async (relay) =>
      statusOf(
        await raw(
          relay,
          request(
            relay,
            "POST /session",
            { Connection: "close" },
            JSON.stringify({ code: codeOf(relay), more: "x".repeat(1900) }).slice(0, 1000),
          ),
        ),
      ) === 200 ||
      statusOf(
        await raw(
          relay,
          request(
            relay,
            "POST /session",
            { Connection: "close" },
            `${JSON.stringify({ code: codeOf(relay) })}${" ".repeat(2000)}`,
          ),
        ),
      ) === 200,
  },
  {
    name: "a WebSocket with a wrong key",
    guard: "known key",
    succeeds: async (relay) => (await (await openSocket(relay, "wrong")).received(1)).length === 1,
  },
  {
    name: "a WebSocket with an empty key",
    guard: "known key",
    succeeds: async (relay) => (await (await openSocket(relay, "")).received(1)).length === 1,
  },
  {
    name: "a WebSocket with a code in place of a key",
    guard: "known key",
    succeeds: async (relay) => (await (await openSocket(relay, codeOf(relay))).received(1)).length === 1,
  },
  {
    name: "a key of 2 KB",
    guard: "short hello",
    also: ["known key"],
    succeeds: async (relay) => (await (await openSocket(relay, "k".repeat(2000))).received(1)).length === 1,
  },
  // Frames
  {
    name: "a text in place of a frame",
    guard: "binary frames",
    succeeds: survives(() => ["\u0005\0\0\0\u0001"]),
    also: ["opened stream", "new stream"],
  },
  {
    name: "a frame of 1.5 MiB",
    guard: "frame size",
    also: ["opened stream"],
    succeeds: survives(() => [openFrame(1, { hasBody: true }), dataFrame(1, 1_500_000)]),
  },
  {
    name: "half a frame",
    guard: "whole frame",
    also: ["opener's frame"],
    succeeds: survives(() => [new Uint8Array([2, 0])]),
  },
  {
    name: "a frame that only the relay sends",
    guard: "opener's frame",
    also: ["opened stream"],
    succeeds: survives(() => [frame(frameKind.head, 1, "{}")]),
  },
  {
    name: "a frame of an unknown kind",
    guard: "opener's frame",
    also: ["opened stream"],
    succeeds: survives(() => [frame(77, 1)]),
  },
  {
    name: "a stream's number used twice",
    guard: "new stream",
    succeeds: survives(() => [openFrame(5, {}), openFrame(5, {})]),
  },
  {
    name: "data of a stream that was never opened",
    guard: "opened stream",
    succeeds: survives(() => [dataFrame(44, 10)]),
  },
  {
    name: "201 requests at once",
    guard: "stream count",
    succeeds: survives(() =>
      Array.from({ length: 201 }, (_, at) => openFrame(at + 1, { method: "POST", hasBody: true })),
    ),
  },
  {
    name: "a request's head of 40 KB",
    guard: "open size",
    succeeds: survives(() => [openFrame(1, { target: `/api/v1/pods?labelSelector=${"a".repeat(40_000)}` })]),
  },
  {
    name: "a body of 5 MiB",
    guard: "body size",
    succeeds: survives(() => [
      openFrame(1, { method: "POST", hasBody: true }),
      ...Array.from({ length: 20 }, () => dataFrame(1, 256 * 1024)),
    ]),
  },
  {
    name: "68 MB of bodies that never end",
    guard: "bytes in flight",
    succeeds: survives(() =>
      Array.from({ length: 17 }, (_, at) => [
        openFrame(at + 1, { method: "POST", hasBody: true }),
        ...Array.from({ length: 4 }, () => dataFrame(at + 1, 1_000_000)),
      ]).flat(),
    ),
  },
  {
    name: "credit for 4 GiB",
    guard: "credit",
    succeeds: survives(() => [
      openFrame(1, { method: "POST", hasBody: true }),
      frame(frameKind.credit, 1, "\u007f\u007f\u007f\u007f"),
    ]),
  },
  // Requests
  { name: "an unknown method", guard: "request method", succeeds: reaches({ method: "TRACE" }) },
  { name: "a path outside of the API: /debug", guard: "API path", succeeds: reaches({ target: "/debug/pprof/heap" }) },
  { name: "the server's metrics", guard: "API path", succeeds: reaches({ target: "/metrics" }) },
  { name: "the server's log files", guard: "API path", succeeds: reaches({ target: "/logs/kube-apiserver.log" }) },
  { name: "a way up out of the API", guard: "plain path", succeeds: reaches({ target: "/api/v1/../../debug/pprof" }) },
  { name: "an encoded way up", guard: "plain path", succeeds: reaches({ target: "/api/%2e%2e/debug" }) },
  {
    name: "an encoded slash",
    guard: "plain path",
    succeeds: reaches({ target: "/api%2f..%2fdebug" }),
    also: ["API path"],
  },
  {
    name: "an encoded slash in a name",
    guard: "plain path",
    succeeds: reaches({ target: "/api/v1/namespaces/a%2fb/pods" }),
  },
  { name: "a broken escape", guard: "plain path", succeeds: reaches({ target: "/api/%zz" }), also: ["API path"] },
  {
    name: "an address in place of a path",
    guard: "plain path",
    succeeds: reaches({ target: "http://evil.example/api" }),
    also: ["API path"],
  },
  {
    name: "two slashes in front",
    guard: "plain path",
    succeeds: reaches({ target: "//evil.example/api" }),
    also: ["API path"],
  },
  { name: "a line break in the path", guard: "plain path", succeeds: reaches({ target: "/api/v1/pods\r\nX: y" }) },
  {
    name: "the proxy to a pod",
    guard: "no proxy",
    succeeds: reaches({ target: "/api/v1/namespaces/default/pods/web/proxy/".slice(0, -1) }),
  },
  {
    name: "the proxy to a service, with a path",
    guard: "no proxy",
    succeeds: reaches({ target: "/api/v1/namespaces/default/services/web/proxy/admin" }),
  },
  {
    name: "the proxy to a node",
    guard: "no proxy",
    succeeds: reaches({ target: "/api/v1/nodes/node-0/proxy/configz" }),
  },
  {
    name: "a token of the attacker's",
    guard: "own headers",
    succeeds: reaches({ headers: [["authorization", "Bearer x"]] }),
  },
  {
    name: "a Host of the attacker's",
    guard: "own headers",
    succeeds: reaches({ headers: [["host", "evil.example"]] }),
  },
  {
    name: "a user by the front proxy's header",
    guard: "own headers",
    succeeds: reaches({ headers: [["x-remote-user", "admin"]] }),
  },
  {
    name: "a line break in a header",
    guard: "own headers",
    succeeds: reaches({ headers: [["accept", "a\r\nauthorization: b"]] }),
  },
  { name: "an upgrade of a list", guard: "upgrades", succeeds: upgrades({}) },
  {
    name: "exec by POST",
    guard: "upgrades",
    succeeds: upgrades({ method: "POST", target: "/api/v1/namespaces/default/pods/web/exec" }),
  },
  // Read-only
  {
    name: "a create, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "POST", target: "/api/v1/namespaces", hasBody: true }),
  },
  {
    name: "a delete, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "DELETE", target: "/api/v1/namespaces/default/pods/web" }),
  },
  {
    name: "a patch, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "PATCH", target: "/api/v1/nodes/node-0", hasBody: true }),
  },
  {
    name: "a dry run, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "POST", target: "/api/v1/namespaces?dryRun=All", hasBody: true }),
  },
  {
    name: "exec, which is a GET, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: upgrades({ target: "/api/v1/namespaces/default/pods/web/exec?command=sh" }),
  },
  {
    name: "port-forward, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: upgrades({ target: "/api/v1/namespaces/default/pods/web/portforward" }),
  },
  {
    name: "a token of a service account, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({
      method: "POST",
      target: "/api/v1/namespaces/default/serviceaccounts/default/token",
      hasBody: true,
    }),
  },
  {
    name: "an object that is named as a review, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({
      method: "POST",
      target: "/apis/authorization.k8s.io/v1/namespaces/selfsubjectaccessreviews/x/y",
      hasBody: true,
    }),
  },
  {
    name: "a review's name in another group, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "POST", target: "/apis/evil.example/v1/selfsubjectaccessreviews", hasBody: true }),
  },
  {
    name: "a review's name as a namespace, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: reaches({ method: "POST", target: "/api/v1/namespaces/selfsubjectaccessreviews/pods", hasBody: true }),
  },
  // What the relay does itself.
  ...[
    { name: "a forward of port 0", target: "/console/forwards/default/web/0" },
    { name: "a forward of port 65536", target: "/console/forwards/default/web/65536" },
    { name: "a forward of a port in words", target: "/console/forwards/default/web/http" },
    { name: "a forward of a pod with a name that no pod has", target: "/console/forwards/default/Web%20x/80" },
    { name: "a forward of a path of more parts", target: "/console/forwards/default/web/80/81" },
    { name: "a forward with a query", target: "/console/forwards/default/web/80?address=0.0.0.0" },
    { name: "a forward by GET", method: "GET", target: "/console/forwards/default/web/80" },
    { name: "a forward with a body", target: "/console/forwards/default/web/80", hasBody: true },
    { name: "something that the relay does not do", target: "/console/files/etc/passwd" },
    { name: "a clock moved backwards", target: "/console/clock/-1000" },
    { name: "a clock moved by an age", target: "/console/clock/999999999999" },
  ].map(
    ({ name, ...open }): Attack => ({
      name: `${name} reaches the API server`,
      guard: "own path",
      succeeds: reaches({ method: "POST", ...open }),
    }),
  ),
  {
    name: "a forward that asks to become a stream",
    guard: "own path",
    also: ["upgrades"],
    succeeds: upgrades({ method: "POST", target: "/console/forwards/default/web/80" }),
  },
  {
    name: "a port of this machine, read-only",
    guard: "read-only",
    readOnly: true,
    succeeds: forwards(1),
  },
  { name: "more ports of this machine than a session may have", guard: "few forwards", succeeds: forwards(9) },
  {
    name: "more connections to a forwarded port than it takes",
    guard: "few forwarded connections",
    succeeds: connectsTo(70),
  },
  {
    name: "time of a cluster that is no test's",
    guard: "clock of a test",
    async succeeds(relay) {
      const { websocket, received } = await openSocket(relay);
      websocket.send(openFrame(1, { method: "POST", target: "/console/clock/1000" }));
      const [, answer] = await received(2);
      websocket.close();
      return (
        answer !== undefined && (decodeJsonFrame(decodeFrame(answer) as Frame) as { status: number }).status === 200
      );
    },
  },
  {
    name: "a test's clock, read-only",
    guard: "read-only",
    readOnly: true,
    hasClock: true,
    async succeeds(relay) {
      const { websocket, received } = await openSocket(relay);
      websocket.send(openFrame(1, { method: "POST", target: "/console/clock/1000" }));
      await received(2);
      websocket.close();
      return relay.clock.moved > 0;
    },
  },
];

describe("attacks on the relay", () => {
  for (const { name, guard, also = [], readOnly = false, hasClock = false, succeeds } of attacks)
    it(`${name}: refused by "${guard}", and only by it`, async () => {
      const guarded = await relayWithout([], { readOnly, hasClock });
      const open = await relayWithout([guard, ...also], { readOnly, hasClock });
      try {
        expect(await succeeds(guarded)).toBe(false);
        expect(await succeeds(open)).toBe(true);
      } finally {
        await guarded.stop();
        await open.stop();
      }
    });

  it("has at least 60 rows", () => expect(attacks.length).toBeGreaterThanOrEqual(60));
});

describe("what the relay lets through", () => {
  const allowed: readonly (Partial<OpenFrame> & { name: string; readOnly: boolean })[] = [
    { name: "a list", readOnly: true, target: "/api/v1/pods?limit=5" },
    { name: "a log", readOnly: true, target: "/api/v1/namespaces/default/pods/web/log?follow=true" },
    {
      name: "a review, read-only",
      readOnly: true,
      method: "POST",
      target: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      hasBody: true,
    },
    {
      name: "a question about a moment, read-only",
      readOnly: true,
      method: "POST",
      target: "/apis/history.coxswain.dev/v1alpha1/moments",
      hasBody: true,
    },
    {
      name: "a resource with a dot and a colon in its name",
      readOnly: false,
      target: "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
    },
    { name: "a namespace named proxy", readOnly: false, target: "/api/v1/namespaces/proxy/pods/proxy" },
    {
      name: "impersonation",
      readOnly: false,
      headers: [
        ["impersonate-user", "ann"],
        ["impersonate-extra-scopes", "a"],
      ],
    },
    { name: "a write", readOnly: false, method: "DELETE", target: "/api/v1/namespaces/default/pods/web" },
  ];
  for (const { name, readOnly, ...open } of allowed)
    it(name, async () => {
      const relay = await relayWithout([], { readOnly });
      expect(await reaches(open)(relay)).toBe(true);
      await relay.stop();
    });

  it("a reader without credit gets 256 KiB and no more until it gives some", async () => {
    const relay = await relayWithout([], { answer: "x".repeat(2_000_000) });
    const { websocket, messages, received } = await openSocket(relay);
    websocket.send(openFrame(1, {}));
    await received(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const bytes = () =>
      messages
        .map((message) => decodeFrame(message))
        .filter((found) => found?.kind === frameKind.data && found.stream === 1)
        .reduce((sum, found) => sum + (found?.payload.length ?? 0), 0);
    expect(bytes()).toBeLessThanOrEqual(512 * 1024);
    websocket.send(frame(frameKind.credit, 1, "\0\u007f\0\0"));
    await received(11);
    expect(bytes()).toBe(2_000_000);
    websocket.close();
    await relay.stop();
  });

  it("a forwarded port is on loopback, carries the impersonation of the page, and goes with its stream", async () => {
    const relay = await relayWithout([]);
    const { websocket, received } = await openSocket(relay);
    const target = "/console/forwards/default/web/80";
    websocket.send(openFrame(1, { method: "POST", target, headers: [["impersonate-user", "ann"]] }));
    const [, , state] = await received(3);
    const { port } = JSON.parse(decodeFrame(state as Buffer)!.payload.toString()) as { port: number };
    expect(relay.ports).toMatchObject([
      { namespace: "default", pod: "web", port: 80, headers: [["impersonate-user", "ann"]] },
    ]);
    expect(relay.upstream.seen).toHaveLength(0);
    expect(await echo(port)).toBe("hello");
    websocket.send(frame(frameKind.reset, 1));
    await relay.ports[0]?.closed;
    expect(await echo(port)).toBe("");
    websocket.close();
    await relay.stop();
  });

  it("a tab that is closed leaves no port behind", async () => {
    const relay = await relayWithout([]);
    const { websocket, received } = await openSocket(relay);
    websocket.send(openFrame(1, { method: "POST", target: "/console/forwards/default/web/80" }));
    await received(3);
    websocket.close();
    await relay.ports[0]?.closed;
    await relay.stop();
  });

  it("a frame that is no request resets its stream, and the session goes on", async () => {
    const relay = await relayWithout([]);
    const { websocket, received } = await openSocket(relay);
    websocket.send(encodeJsonFrame(frameKind.open, 1, { method: 1 }));
    const [, answer] = await received(2);
    expect(answer && decodeFrame(answer)?.kind).toBe(frameKind.reset);
    websocket.send(openFrame(2, {}));
    await received(3);
    expect(relay.upstream.seen).toHaveLength(1);
    websocket.close();
    await relay.stop();
  });

  it("responses have the policies that keep other code out", async () => {
    const relay = await relayWithout([]);
    const response = await raw(relay, request(relay, "GET /", { Connection: "close" }));
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "nosniff",
      "no-referrer",
      "same-origin",
      "no-store",
    ])
      expect(response).toContain(part);
    expect(response).not.toMatch(/set-cookie/i);
    expect(/data-nonce=([\w-]{22})/.exec(response)?.[1]).toBe(/'nonce-([\w-]{22})'/.exec(response)?.[1]);
    await relay.stop();
  });
});
