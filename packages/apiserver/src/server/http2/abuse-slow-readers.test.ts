import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asking, flag, headers, RawConnection, type, windowUpdate } from "./abuse-client.test.support.js";
import { type Subject, startSubject, testsUpstream } from "./abuse-subject.test.support.js";

const maps = "/api/v1/namespaces/default/configmaps";
const initialWindow = 4;
const wide = 0x7fffffff;
const post = (stream: number): Buffer =>
  headers(stream, asking(maps, "POST", [["content-type", "application/json"]]), flag.endHeaders);
const configMap = (name: string, bytes: number): Buffer =>
  Buffer.from(
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k: "v".repeat(bytes) } }),
  );
/** Of this process, in which ours runs: what is kept, and what nobody has cleared away yet. */
const megabytes = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) >> 20;
};
const streams = Array.from({ length: 20 }, (_, at) => 2 * at + 1);

describe("HTTP/2 to readers that are slow", { timeout: 120_000 }, () => {
  let subject: Subject;
  const open: RawConnection[] = [];
  const connect = async (window: number): Promise<RawConnection> => {
    const connection = await RawConnection.open(subject.admin, [[initialWindow, window]]);
    connection.send(windowUpdate(0, wide - 65_535));
    open.push(connection);
    return connection;
  };
  let stream = 1;
  let writer: RawConnection;
  const create = async (name: string, bytes: number): Promise<void> => {
    writer.send(post(stream));
    await writer.sendBody(stream, configMap(name, bytes));
    expect(await writer.outcome(stream)).toBe("201");
    writer.seen.splice(0, writer.seen.length, ...writer.seen.filter((seen) => seen.stream === 0));
    stream += 2;
  };
  beforeAll(async () => {
    subject = await startSubject();
    writer = await connect(wide);
    for (let at = 0; at < 30; at++) await create(`large-${at}`, 900_000);
  });
  afterAll(async () => {
    for (const connection of open) connection.socket.destroy();
    await subject.stop();
  });

  it("sends a body byte by byte to a window of one", async () => {
    const connection = await connect(1);
    connection.send(headers(1, asking("/api/v1/namespaces/default")));
    let granted = 0;
    for (; !connection.on(1).some((seen) => (seen.flags & flag.endStream) !== 0); granted++) {
      connection.send(windowUpdate(1, 1));
      expect(await connection.answersPing()).toBe(true);
    }
    const { body, summary } = connection.answer(1);
    expect(summary).toBe("200");
    expect(JSON.parse(String(body))).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
    expect(body.length, "bytes, for a window of 1 and so many more").toBeLessThanOrEqual(1 + granted);
  });

  it("keeps no copy of a list for each client that does not read it, and loses nothing of it", async () => {
    const whole = await connect(wide);
    whole.send(headers(1, asking(maps)));
    expect(await whole.outcome(1)).toBe("200");
    const before = megabytes();
    const slow = await connect(0);
    for (const stream of streams) slow.send(headers(stream, asking(maps)));
    for (const stream of streams) await slow.until((seen) => seen.stream === stream && seen.type === type.headers);
    expect(await slow.answersPing()).toBe(true);
    if (!testsUpstream) expect(megabytes() - before).toBeLessThan(200);
    for (const stream of streams.slice(0, 3)) {
      slow.send(windowUpdate(stream, wide));
      expect(await slow.outcome(stream)).toBe("200");
      expect(slow.answer(stream).body.equals(whole.answer(1).body)).toBe(true);
    }
  });

  it("ends a watch whose client does not read", async () => {
    const slow = await connect(0);
    for (const stream of streams) slow.send(headers(stream, asking(`${maps}?watch=1`)));
    for (const stream of streams) await slow.until((seen) => seen.stream === stream && seen.type === type.headers);
    const before = megabytes();
    for (let at = 0; at < 1000; at++) await create(`small-${at}`, 16_000);
    if (!testsUpstream) expect(megabytes() - before).toBeLessThan(300);
    for (const stream of streams) slow.send(windowUpdate(stream, wide));
    // Upstream sends what it still had and ends; a reset makes a client begin anew just as well.
    for (const stream of streams) expect(await slow.outcome(stream)).toMatch(/^(200|reset CANCEL)$/);
    for (const stream of streams) expect(slow.answer(stream).body.length).toBeLessThan(27_000_000);
  });
});
