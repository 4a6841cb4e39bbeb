import { systemRuntime } from "@coxswain/runtime";
import { encodeMessage, type Message, responseCodes } from "@coxswain/wire/dns";
import { afterEach, describe, expect, it } from "vitest";
import { queryOf } from "../server/loop-probe.js";
import { address, answerTo, type FakeAnswer, type FakeServer, startFakeServer } from "./fake-server.test.support.js";
import {
  createForwarder,
  type Forwarded,
  type ForwardedQuery,
  type Forwarder,
  type ForwardObserver,
} from "./forwarder.js";
import type { NameServer } from "./name-server.js";

const servers: FakeServer[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.stop()))));

async function fake(answer: FakeAnswer): Promise<FakeServer> {
  const server = await startFakeServer(answer);
  servers.push(server);
  return server;
}

const counts = { discarded: 0, rejected: 0, hits: 0 };
const observer: ForwardObserver = {
  request: () => {},
  discarded: () => counts.discarded++,
  rejected: () => counts.rejected++,
  cacheRequest: (hit) => (hit ? counts.hits++ : 0),
};

const forwarder = (to: readonly NameServer[], stubDomains: [string, NameServer[]][] = []): Forwarder =>
  createForwarder(systemRuntime(), { servers: to, stubDomains: new Map(stubDomains) }, observer);

function query(name: string, more: Partial<ForwardedQuery & { id: number; type: number }> = {}): ForwardedQuery {
  const message = queryOf(more.id ?? 7, { name, type: more.type ?? 1, class: 1 });
  return { message, bytes: encodeMessage(message), transport: "udp", client: "10.0.0.1", ...more };
}

const answers = (forwarded: Forwarded): unknown =>
  forwarded.kind === "answer"
    ? forwarded.message?.answers.map((one) => "address" in one && one.address)
    : forwarded.kind;

describe("forwarder", () => {
  it("returns the bytes of a server under the client's id", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    const forwarded = await forwarder([server]).ask(query("example.com", { id: 0x4242 }));
    expect(answers(forwarded)).toEqual(["192.0.2.1"]);
    expect(forwarded.kind === "answer" && Buffer.from(forwarded.bytes!).readUInt16BE(0)).toBe(0x4242);
  });

  it("asks the next server where there is no way to the first: the kernel refuses to connect", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    // Without SO_BROADCAST this is EACCES, or ENETUNREACH where there is no route at all.
    const unreachable = { ...server, host: "255.255.255.255" };
    for (let id = 1; id <= 4; id++)
      expect(answers(await forwarder([unreachable, server]).ask(query("example.com", { id })))).toEqual(["192.0.2.1"]);
  });

  it("asks by TCP for a client that asked by TCP", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    await forwarder([server]).ask(query("example.com", { transport: "tcp" }));
    expect(server.asked).toEqual(["tcp example.com"]);
  });

  const forged: { title: string; forge: (asked: Message) => Message | Uint8Array }[] = [
    {
      title: "another id",
      forge: (asked) => answerTo(asked, { id: asked.id ^ 1, answers: [address("example.com", "203.0.113.66")] }),
    },
    {
      title: "another name",
      forge: (asked) => answerTo(asked, { questions: [{ name: "evil.example", type: 1, class: 1 }] }),
    },
    {
      title: "another type",
      forge: (asked) => answerTo(asked, { questions: [{ name: "example.com", type: 28, class: 1 }] }),
    },
    { title: "no question", forge: (asked) => answerTo(asked, { questions: [] }) },
    { title: "a query", forge: (asked) => ({ ...answerTo(asked), isResponse: false }) },
    { title: "no message", forge: () => Uint8Array.of(1, 2, 3) },
  ];
  for (const { title, forge } of forged)
    it(`discards a forged answer with ${title} and waits for the right one`, async () => {
      counts.discarded = 0;
      const server = await fake((asked) => [forge(asked), answerTo(asked)]);
      expect(answers(await forwarder([server]).ask(query("example.com")))).toEqual(["192.0.2.1"]);
      expect(counts.discarded).toBe(1);
    });

  it("asks by TCP once somebody guesses ids", async () => {
    const server = await fake((asked, transport) =>
      transport === "tcp"
        ? [answerTo(asked)]
        : Array.from({ length: 40 }, (_, at) => answerTo(asked, { id: (asked.id + at + 1) & 0xffff })),
    );
    expect(answers(await forwarder([server]).ask(query("example.com")))).toEqual(["192.0.2.1"]);
    expect(server.asked).toEqual(["udp example.com", "tcp example.com"]);
  });

  it("asks equal questions under way once, and others for their own", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    const { ask } = forwarder([server]);
    const all = await Promise.all([
      ask(query("example.com")),
      ask(query("EXAMPLE.com", { id: 9, client: "10.0.0.2" })),
      ask(query("example.com", { type: 28 })),
    ]);
    expect(all.map(({ kind }) => kind)).toEqual(["answer", "answer", "answer"]);
    expect(server.asked.length).toBe(2);
  });

  it("answers again from its cache", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    const { ask } = forwarder([server]);
    await ask(query("example.com"));
    counts.hits = 0;
    expect(answers(await ask(query("Example.com")))).toEqual(["192.0.2.1"]);
    expect([server.asked.length, counts.hits]).toEqual([1, 1]);
  });

  it("asks the next server when one refuses datagrams, and both fail as one", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    const closed = await fake(() => []);
    await servers.pop()!.stop();
    for (let at = 0; at < 4; at++)
      expect(answers(await forwarder([closed, server]).ask(query("example.com")))).toEqual(["192.0.2.1"]);
    expect((await forwarder([closed]).ask(query("example.com"))).kind).toBe("failed");
    expect((await forwarder([]).ask(query("example.com"))).kind).toBe("failed");
  });

  it("asks the servers of the longest stub domain", async () => {
    const [usual, corp, deep] = await Promise.all([
      fake((q) => [answerTo(q)]),
      fake((q) => [answerTo(q)]),
      fake((q) => [answerTo(q)]),
    ]);
    const { ask } = forwarder(
      [usual],
      [
        ["corp.example", [corp]],
        ["deep.corp.example", [deep]],
      ],
    );
    await ask(query("a.example"));
    await ask(query("b.corp.EXAMPLE"));
    await ask(query("c.deep.corp.example"));
    expect([usual.asked, corp.asked, deep.asked]).toEqual([
      ["udp a.example"],
      ["udp b.corp.EXAMPLE"],
      ["udp c.deep.corp.example"],
    ]);
  });

  it("asks no server that it was asked to avoid", async () => {
    const server = await fake((asked) => [answerTo(asked)]);
    const forward = forwarder([server]);
    forward.avoid(server);
    expect((await forward.ask(query("example.com"))).kind).toBe("failed");
  });

  it("a client that floods it is refused beyond its share, and others are not", async () => {
    const held: (() => void)[] = [];
    const server = await fake((asked) => {
      held.push(() => {});
      return asked.questions[0]!.name.startsWith("other") ? [answerTo(asked)] : [];
    });
    const { ask } = forwarder([server]);
    counts.rejected = 0;
    const flood = Array.from({ length: 300 }, (_, at) => ask(query(`flood-${at}.example`)));
    expect(answers(await ask(query("other.example", { client: "10.0.0.2" })))).toEqual(["192.0.2.1"]);
    expect(counts.rejected).toBe(200);
    expect((await Promise.all(flood)).filter(({ kind }) => kind === "busy").length).toBe(200);
  });

  it("a client that floods it with one name is refused beyond its share, and others are not", async () => {
    const server = await fake(() => []);
    const { ask } = forwarder([server]);
    const floods = Array.from({ length: 1_500 }, () => ask(query("flood.example")));
    const other = ask(query("flood.example", { client: "10.0.0.2" }));
    // One asks the server, a thousand wait for its answer.
    expect((await Promise.all(floods)).filter(({ kind }) => kind === "busy").length).toBe(499);
    expect((await other).kind).toBe("failed");
    expect(server.asked.length).toBe(1);
  });

  it("passes failures of a server on", async () => {
    const server = await fake((asked) => [answerTo(asked, { answers: [], responseCode: responseCodes.REFUSED })]);
    const forwarded = await forwarder([server]).ask(query("example.com"));
    expect(forwarded.kind === "answer" && forwarded.message?.responseCode).toBe(responseCodes.REFUSED);
  });
});
