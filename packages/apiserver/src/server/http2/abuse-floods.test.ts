import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  asking,
  data,
  flag,
  frame,
  headers,
  ping,
  RawConnection,
  reset,
  settings,
  type,
  windowUpdate,
} from "./abuse-client.test.support.js";
import { type Subject, startSubject } from "./abuse-subject.test.support.js";

const path = "/api/v1/namespaces/default";
const repeat = (times: number, of: (at: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: times }, (_, at) => of(at)));
const post = headers(1, asking(`${path}/configmaps`, "POST", [["content-type", "application/json"]]), flag.endHeaders);
const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"}}';
/** A head that is not at its end yet. */
const begun = headers(1, asking(path), flag.endStream);

/**
 * A server may end the connection of somebody who does this, or bear it and answer what comes `after`; kube-apiserver does
 * either, for some by chance. What it may not do is to let others wait, to keep what it cannot send, or to go silent.
 */
const floods: readonly {
  readonly name: string;
  readonly flood: Buffer;
  readonly after: readonly Buffer[];
  readonly stream: number;
  readonly borne?: string;
}[] = [
  {
    name: "requests that are reset at once",
    flood: repeat(20_000, (at) =>
      Buffer.concat([headers(2 * at + 1, asking("/api/v1/namespaces")), reset(2 * at + 1)]),
    ),
    after: [headers(40_001, asking(path))],
    stream: 40_001,
    borne: "200",
  },
  {
    name: "watches that are reset at once",
    flood: repeat(10_000, (at) =>
      Buffer.concat([headers(2 * at + 1, asking("/api/v1/configmaps?watch=1")), reset(2 * at + 1)]),
    ),
    after: [headers(20_001, asking(path))],
    stream: 20_001,
    borne: "200",
  },
  {
    name: "requests that the server must reset",
    flood: repeat(20_000, (at) => headers(2 * at + 1, [["x-a", "no pseudo headers"]])),
    after: [headers(40_001, asking(path))],
    stream: 40_001,
    borne: "200",
  },
  {
    name: "a head without end",
    flood: Buffer.concat([
      begun,
      repeat(1_000, () => frame(type.continuation, 0, 1, headers(1, [["x-a", "v".repeat(10_000)]]).subarray(9))),
    ]),
    after: [],
    stream: 1,
  },
  {
    name: "a head in empty frames",
    flood: Buffer.concat([begun, repeat(100_000, () => frame(type.continuation, 0, 1))]),
    after: [frame(type.continuation, flag.endHeaders, 1)],
    stream: 1,
    borne: "200",
  },
  {
    name: "a body in empty frames",
    flood: Buffer.concat([post, repeat(100_000, () => data(1, ""))]),
    after: [data(1, body, flag.endStream)],
    stream: 1,
    borne: "201",
  },
  {
    name: "settings",
    flood: repeat(50_000, (at) => settings([[4, 65_535 + (at % 2)]])),
    after: [headers(1, asking(path))],
    stream: 1,
    borne: "200",
  },
  { name: "pings", flood: repeat(200_000, () => ping()), after: [headers(1, asking(path))], stream: 1, borne: "200" },
  {
    name: "priorities",
    flood: repeat(100_000, (at) => frame(type.priority, 0, 2 * at + 1, Buffer.from([0, 0, 0, 0, 16]))),
    after: [headers(200_001, asking(path))],
    stream: 200_001,
    borne: "200",
  },
  {
    name: "windows",
    flood: repeat(100_000, () => windowUpdate(0, 1)),
    after: [headers(1, asking(path))],
    stream: 1,
    borne: "200",
  },
  {
    name: "frames of kinds that there are not",
    flood: repeat(100_000, () => frame(0x99, 0, 0)),
    after: [headers(1, asking(path))],
    stream: 1,
    borne: "200",
  },
];

describe("floods of HTTP/2", { timeout: 60_000 }, () => {
  let subject: Subject;
  let connection: RawConnection;
  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject.stop());
  afterEach(() => connection.socket.destroy());

  const answersOthers = async (): Promise<string> => {
    const other = await RawConnection.open(subject.admin);
    other.send(headers(1, asking(path)));
    const outcome = await other.outcome(1);
    other.socket.destroy();
    return outcome;
  };

  for (const { name, flood, after, stream, borne } of floods) {
    for (const reads of [true, false]) {
      it(`of ${name}${reads ? "" : ", by a client that does not read"}`, async () => {
        const before = process.memoryUsage().rss;
        connection = await RawConnection.open(subject.admin);
        if (!reads) connection.socket.pause();
        connection.send(flood);
        expect(await answersOthers()).toBe("200");
        expect((process.memoryUsage().rss - before) >> 20, "MiB, with the client's own").toBeLessThan(100);
        connection.socket.resume();
        connection.send(...after);
        const outcome = await connection.outcome(stream);
        // Refused: those before it are not forgotten yet.
        if (outcome !== borne)
          expect(outcome).toMatch(/^(goaway [A-Z_]+|closed|reset (PROTOCOL_ERROR|REFUSED_STREAM))$/);
      });
    }
  }
});
