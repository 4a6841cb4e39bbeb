import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  asking,
  data,
  type Fields,
  flag,
  frame,
  goAway,
  headers,
  RawConnection,
  reset,
  type Seen,
  type,
} from "./abuse-client.test.support.js";
import { type Subject, startSubject, testsUpstream } from "./abuse-subject.test.support.js";

const path = "/api/v1/namespaces/default";
const maps = `${path}/configmaps`;
const post = (stream: number): Buffer =>
  headers(stream, asking(maps, "POST", [["content-type", "application/json"]]), flag.endHeaders);
const watch = (stream: number): Buffer => headers(stream, asking(`${maps}?watch=1`));
const body = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const isHead =
  (stream: number) =>
  (seen: Seen): boolean =>
    seen.type === type.headers && seen.stream === stream;
const isGoAway = (seen: Seen): boolean => seen.type === type.goAway;
/** Kinds and flags of the frames on a stream. */
const shape = (connection: RawConnection, stream: number): string =>
  connection
    .on(stream)
    .map((seen) => `${seen.type}/${seen.flags}`)
    .join(" ");
const onlyHead = `${type.headers}/${flag.endHeaders | flag.endStream}`;

describe("how answers and connections of HTTP/2 end", { timeout: 60_000 }, () => {
  let subject: Subject;
  const open: RawConnection[] = [];
  const connect = async (as: "admin" | "nobody" = "admin"): Promise<RawConnection> => {
    const connection = await RawConnection.open(subject[as]);
    open.push(connection);
    return connection;
  };
  const create = async (name: string): Promise<void> => {
    const connection = await connect();
    connection.send(post(1), data(1, body(name), flag.endStream));
    expect(await connection.outcome(1)).toBe("201");
  };
  beforeAll(async () => {
    subject = await startSubject();
  });
  afterEach(() => {
    for (const connection of open.splice(0)) connection.socket.destroy();
  });
  afterAll(() => subject.stop());

  it("an answer without a body ends with its head: HEAD, 304", async () => {
    const discovery: Fields = [["accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"]];
    const connection = await connect();
    connection.send(headers(1, asking("/readyz", "HEAD")), headers(3, asking("/api", "GET", discovery)));
    expect(await connection.settled(1)).toBe("200");
    expect(connection.answer(1).headers).toMatchObject({ "content-length": "2" });
    expect(shape(connection, 1)).toBe(onlyHead);
    expect(await connection.settled(3)).toBe("200");
    connection.send(
      headers(5, asking("/api", "GET", [...discovery, ["if-none-match", connection.answer(3).headers["etag"] ?? ""]])),
    );
    expect(await connection.settled(5)).toBe("304");
    expect(shape(connection, 5)).toBe(onlyHead);
  });

  it("a body above the limit is refused before it is complete, and its stream reset", async () => {
    const connection = await connect();
    connection.send(post(1));
    expect(await connection.sendBody(1, Buffer.alloc(10 << 20, " "))).toBe(false);
    expect(await connection.settled(1, { awaitsReset: true })).toBe(
      "413 Request entity too large: limit is 3145728, then reset NO_ERROR",
    );
    connection.send(headers(3, asking(path)));
    expect(await connection.outcome(3)).toBe("200");
  });

  it("a request too many is reset, and another may come when one is gone", async () => {
    const connection = await connect();
    const most = connection.setting(3) ?? 0;
    expect(most).toBeGreaterThanOrEqual(100);
    for (let at = 0; at <= most; at++) connection.send(watch(2 * at + 1));
    // Upstream sends PROTOCOL_ERROR to clients that have received SETTINGS_MAX_CONCURRENT_STREAMS; after the other code clients try again.
    expect(await connection.outcome(2 * most + 1)).toMatch(/^reset (PROTOCOL_ERROR|REFUSED_STREAM)$/);
    connection.send(reset(1), headers(2 * most + 3, asking(path)));
    expect(await connection.settled(2 * most + 3)).toBe("200");
  });

  it("an unauthenticated client gets its response, GOAWAY, and is closed", async () => {
    const connection = await connect("nobody");
    connection.send(headers(1, asking("/livez")));
    expect(await connection.outcome(1)).toBe("200");
    await connection.until(isGoAway);
    await connection.closed();
    expect(connection.seen.filter(isGoAway).map((seen) => seen.payload.readUInt32BE(4))).toEqual([0]);
  });

  // Upstream reads on while it answers: of a hundred, from some fifteen to all were answered. Go's client waits a second or more before it
  // tries others for the second time.
  it("what arrived together with the request that ends its connection is answered, too", async () => {
    const connection = await connect("nobody");
    connection.send(...Array.from({ length: 100 }, (_, at) => headers(2 * at + 1, asking("/livez"))));
    await connection.closed();
    expect(connection.seen.filter((seen) => seen.type === type.headers).length).toBeGreaterThan(1);
  });

  it("a client that closes its side of TCP is closed, whatever is open", async () => {
    const connection = await connect();
    connection.send(watch(1), post(3));
    await connection.until(isHead(1));
    connection.socket.end();
    await connection.closed();
    expect(shape(connection, 3)).toBe("");
  });

  it("a client that sends GOAWAY gets the responses to its earlier requests, and is closed", async () => {
    const connection = await connect();
    connection.send(watch(1));
    await connection.until(isHead(1));
    connection.send(goAway(0), headers(3, asking(path)));
    await create("after-goaway");
    await connection.until((seen) => seen.stream === 1 && String(seen.payload).includes("after-goaway"));
    expect(await connection.answersPing()).toBe(true);
    expect(shape(connection, 3)).toBe("");
    connection.send(reset(1));
    await connection.closed();
  });

  it("a connection that is cut in the middle of a frame leaves nothing behind", async () => {
    for (const bytes of [
      post(1).subarray(0, 20),
      Buffer.concat([post(1), data(1, body("cut")).subarray(0, 15)]),
      frame(type.headers, 0, 1, ""),
    ]) {
      const connection = await connect();
      connection.send(bytes);
      expect(connection.isClosed).toBe(false);
      connection.socket.destroy();
    }
    await create("after-cut");
  });

  it("a server that stops sends GOAWAY, completes the requests before it, and loses none", async () => {
    const [idle, watching, writing] = [await connect(), await connect(), await connect()];
    watching.send(watch(1));
    await watching.until(isHead(1));
    writing.send(post(1), data(1, "{"));
    expect(await writing.answersPing()).toBe(true);
    const stopped = subject.stop();
    for (const [connection, last] of [
      [idle, 0],
      [watching, 1],
      [writing, 1],
    ] as const) {
      const goAway = await connection.until(isGoAway);
      expect(goAway?.payload.readUInt32BE(0)).toBe(last);
      expect(goAway?.payload.readUInt32BE(4)).toBe(0);
    }
    writing.send(headers(3, asking(path)), data(1, body("late").slice(1), flag.endStream));
    expect(await writing.outcome(1)).toBe("201");
    // Upstream lets watches wait for its end, which cuts them.
    expect(await watching.outcome(1)).toBe(testsUpstream ? "closed" : "200");
    await stopped;
    await Promise.all([idle.closed(), watching.closed(), writing.closed()]);
    expect(shape(writing, 3)).toBe("");
  });
});
