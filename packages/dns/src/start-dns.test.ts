import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { createMemoryStore } from "@coxswain/storage/memory";
import { decodeMessage, encodeMessage, type Message, recordTypes, responseCodes } from "@coxswain/wire/dns";
import * as dnsPacket from "dns-packet";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { slice, zones } from "./answer/cluster.test.support.js";
import { answerTo, type FakeServer, startFakeServer } from "./forward/fake-server.test.support.js";
import { createFrameReader, withLength } from "./forward/length-frames.js";
import { queryOf } from "./server/loop-probe.js";
import { type RunningDns, startDns } from "./start-dns.js";

const metrics = createMetrics();
const runtime = systemRuntime({ metrics });
/** On a machine with other things to do a second is not enough. */
const until = <T>(check: () => Promise<T> | T): Promise<T> => vi.waitFor(check, { timeout: 30_000 });
let client: Client;
let outside: FakeServer;
let dns: RunningDns;
let port: number;
let stopServer: () => Promise<void>;

beforeAll(async () => {
  const server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
  });
  const user = { name: "admin", groups: ["system:masters"] };
  client = createClient({ transport: createInProcessTransport(server, { user }), runtime });
  await client.core.v1.namespaces().create({ metadata: { name: "shop" } });
  outside = await startFakeServer((query) => [answerTo(query)]);
  dns = startDns({
    runtime,
    client,
    zones,
    forward: { servers: [outside], stubDomains: new Map() },
    clientQueriesPerSecond: 0,
    metricsName: "dns://127.0.0.1:0",
  });
  ({ port } = await dns.listen({ host: "127.0.0.1", port: 0 }));
  await dns.ready;
  stopServer = () => server.stop();
});

afterAll(async () => {
  await dns.stop();
  await outside.stop();
  await stopServer();
});

function resolver(): Resolver {
  const made = new Resolver({ tries: 1 });
  made.setServers([`127.0.0.1:${port}`]);
  return made;
}

/** Sends messages over one connection at once; resolves to the answers in the order of their arrival. */
async function overTcp(messages: readonly Message[]): Promise<Message[]> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const answers: Message[] = [];
  const done = new Promise<void>((resolve) => {
    const frames = createFrameReader((bytes) => {
      answers.push(decodeMessage(bytes));
      if (answers.length === messages.length) resolve();
    });
    socket.on("data", (data) => frames.push(data));
  });
  socket.write(Buffer.concat(messages.map((message) => withLength(encodeMessage(message)))));
  await done;
  socket.destroy();
  return answers;
}

const a = (name: string, id = 1): Message => queryOf(id, { name, type: recordTypes.A, class: 1 });

describe("a DNS server on a cluster", () => {
  it("follows services as they come, change and go", async () => {
    const services = client.core.v1.services("shop");
    const made = await services.create({ metadata: { name: "web" }, spec: { ports: [{ name: "http", port: 80 }] } });
    const name = "web.shop.svc.cluster.local";
    await until(async () => expect(await resolver().resolve4(name)).toEqual([made.spec?.clusterIP]));
    // Node 26 adds its own `type`.
    expect(await resolver().resolveSrv(`_http._tcp.${name}`)).toMatchObject([
      { name, port: 80, priority: 0, weight: 100 },
    ]);
    expect(await resolver().reverse(made.spec!.clusterIP!)).toEqual([name]);
    await services.delete("web");
    await until(() => expect(resolver().resolve4(name)).rejects.toMatchObject({ code: "ENOTFOUND" }));
  });

  it("chases an ExternalName through another server", async () => {
    await client.core.v1
      .services("shop")
      .create({ metadata: { name: "outside" }, spec: { type: "ExternalName", externalName: "www.example.com" } });
    await until(async () => expect(await resolver().resolve4("outside.shop.svc.cluster.local")).toEqual(["192.0.2.1"]));
  });

  it("an answer from the cache has the case of its question", async () => {
    await dns.resolve("case.example.com", recordTypes.A);
    const { answers, questions } = await dns.resolve("CASE.Example.com", recordTypes.A);
    expect([questions[0]?.name, answers[0]?.name]).toEqual(["CASE.Example.com", "CASE.Example.com"]);
    expect(outside.asked.filter((asked) => /case\.example/i.test(asked)).length).toBe(1);
  });

  it("forwards all other names", async () => {
    expect(await resolver().resolve4("www.example.org")).toEqual(["192.0.2.1"]);
  });

  it("a service of 5,000 endpoints is truncated over UDP and has all it can hold over TCP", async () => {
    await client.core.v1
      .services("shop")
      .create({ metadata: { name: "many" }, spec: { clusterIP: "None", ports: [{ port: 80 }] } });
    for (let at = 0; at < 5; at++) {
      const endpoints = Array.from({ length: 1000 }, (_, one) => ({
        addresses: [`10.${at}.${one >> 8}.${one & 255}`],
      }));
      await client.discovery.v1.endpointslices("shop").create(slice(`many-${at}`, "many", endpoints));
    }
    const name = "many.shop.svc.cluster.local";
    await until(async () => {
      const [answer] = await overTcp([a(name)]);
      expect([answer?.truncated, answer?.answers.length]).toEqual([
        true,
        Math.floor((0xffff - 12 - name.length - 6) / 16),
      ]);
    });
    expect((await dns.resolve(name, recordTypes.A)).answers.length).toBe(5000);
    const orders = await overTcp([a(name, 1), a(name, 2)]);
    expect(orders[0]?.answers).not.toEqual(orders[1]?.answers);
  });

  it("answers many questions of one connection, each as soon as it can", async () => {
    const names = Array.from({ length: 500 }, (_, at) => a(`no-${at}.shop.svc.cluster.local`, at));
    const answers = await overTcp([a("slow.example", 1000), ...names]);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(501);
    expect(answers[0]?.id).toBe(0);
  });

  it("answers are read by another codec", async () => {
    const bytes = encodeMessage(await dns.resolve("dns-version.cluster.local", recordTypes.TXT));
    expect(dnsPacket.decode(bytes)).toMatchObject({
      rcode: "NOERROR",
      flag_aa: true,
      answers: [{ ttl: 28_800, data: [Buffer.from("1.1.0")] }],
    });
    const missing = encodeMessage(await dns.resolve("no.shop.svc.cluster.local", recordTypes.A));
    expect(dnsPacket.decode(missing)).toMatchObject({
      rcode: "NXDOMAIN",
      flag_ra: false,
      authorities: [{ type: "SOA", name: "cluster.local" }],
    });
  });

  it("counts under CoreDNS's names", () => {
    const text = metrics.text();
    expect(text).toMatch(/coredns_dns_requests_total\{family="1",proto="udp",.*type="SRV",.*\} 1/);
    expect(text).toMatch(/coredns_dns_responses_total\{.*rcode="NXDOMAIN"/);
    expect(text).toContain("coredns_cache_entries");
  });

  it("a connection that sends what is no query is closed", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(withLength(Buffer.from("x")));
    await once(socket, "close");
  });
});

it("a client that floods the server is cut off for the second, others are answered, and it is counted", async () => {
  const counted = createMetrics();
  const limited = startDns({
    runtime: systemRuntime({ metrics: counted }),
    client,
    zones,
    forward: { servers: [], stubDomains: new Map() },
    clientQueriesPerSecond: 50,
    metricsName: "dns://127.0.0.1:0",
  });
  const at = await limited.listen({ host: "127.0.0.1", port: 0 });
  await limited.ready;
  const [flooder, other] = ["127.0.0.1", "127.0.0.2"].map((host) => {
    const socket = createSocket("udp4").bind(0, host);
    const seen = { answers: 0, ask: () => socket.send(encodeMessage(a("dns-version.cluster.local")), at.port), socket };
    socket.on("message", () => seen.answers++);
    return seen;
  });
  for (let sent = 0; sent < 1_000; sent++) flooder!.ask();
  const dropped = (): number => Number(/^coxswain_dns_dropped_requests_total.* (\d+)$/m.exec(counted.text())?.[1] ?? 0);
  await until(() => expect(dropped()).toBeGreaterThan(500));
  other!.ask();
  await until(() => expect(other!.answers).toBe(1));
  // A second may have begun in between.
  expect(flooder!.answers).toBeLessThanOrEqual(150);
  for (const { socket } of [flooder!, other!]) socket.close();
  await limited.stop();
});

it("does not ask a server that forwards to it, and reports it", async () => {
  const loop: { port?: number } = {};
  const circle = await startFakeServer(({ questions, id }) => {
    const socket = connect(loop.port!, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(withLength(encodeMessage(queryOf(id, questions[0]!))));
    return [];
  });
  const errors: string[] = [];
  const looped = startDns({
    runtime: systemRuntime({ log: { ...silentLogger, error: (message) => void errors.push(message) } }),
    client,
    zones,
    forward: { servers: [circle], stubDomains: new Map() },
    clientQueriesPerSecond: 0,
    metricsName: "dns://127.0.0.1:0",
  });
  loop.port = (await looped.listen({ host: "127.0.0.1", port: 0 })).port;
  await until(() => expect(errors).toEqual(["a DNS server forwards to this one: it is not asked any more"]));
  const before = circle.asked.length;
  expect((await looped.resolve("example.com", recordTypes.A)).responseCode).toBe(responseCodes.SERVFAIL);
  expect(circle.asked.length).toBe(before);
  await looped.stop();
  await circle.stop();
});
