import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { message } from "../protobuf/index.js";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "../x509/index.js";
import {
  createGrpcClient,
  createGrpcServer,
  type GrpcClient,
  type GrpcClientOptions,
  GrpcError,
  type GrpcServer,
  type GrpcServerOptions,
  method,
  readMessages,
  serveStream,
  serveUnary,
} from "./index.js";

const Text = message({ text: { number: 1, type: "string" }, count: { number: 2, type: "int32" } });
const Echo = method("/test.Echo/Echo", Text, Text);
const Fail = method("/test.Echo/Fail", Text, Text);
const Hang = method("/test.Echo/Hang", Text, Text);
const Count = method("/test.Echo/Count", Text, Text);
const Chat = method("/test.Echo/Chat", Text, Text);
const Missing = method("/test.Echo/Missing", Text, Text);

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms: number, fire: () => void) {
    const handle = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(handle) };
  },
};
const random = { bytes: (length: number) => new Uint8Array(length).fill(128) };

/** What the server has seen of calls that hang. */
const gone: string[] = [];
const methods = [
  serveUnary(Echo, (request, metadata) => ({
    text: `${request.text}${metadata.get("suffix") ?? ""}`,
    count: Buffer.from(metadata.get("raw-bin") ?? []).length,
  })),
  serveUnary(Fail, (request) => {
    throw request.text === "plain" ? new Error("oops") : new GrpcError("FAILED_PRECONDITION", "no: 100 % ü\n");
  }),
  serveStream(Hang, async (call) => {
    await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
    gone.push("hang");
  }),
  serveStream(Count, async (call) => {
    for await (const { count } of call.requests)
      for (let index = 0; index < count && !call.signal.aborted; index += 1)
        await call.send({ text: "x".repeat(1000), count: index });
  }),
  serveStream(Chat, async (call) => {
    for await (const { text } of call.requests) {
      if (text === "bye") return;
      if (text === "stop") throw new GrpcError("ABORTED", "stopped");
      await call.send({ text: text.toUpperCase() });
    }
  }),
];

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});
const serve = async (options: Partial<GrpcServerOptions> = {}): Promise<GrpcServer> => {
  const server = await createGrpcServer({ methods, listen: { port: 0 }, ...options });
  open.push(server);
  return server;
};
const connect = (endpoints: string[], options: Partial<GrpcClientOptions> = {}): GrpcClient => {
  const client = createGrpcClient({ endpoints, clock, random, baseBackoffMs: 20, connectTimeoutMs: 1000, ...options });
  open.push(client);
  return client;
};
const failure = async (promise: Promise<unknown>): Promise<GrpcError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GrpcError);
  return error as GrpcError;
};

describe("a unary call", () => {
  it("carries a message each way, and metadata", async () => {
    const client = connect([(await serve()).endpoint]);
    expect(await client.unary(Echo, { text: "hello" })).toEqual({ text: "hello", count: 0 });
    expect(
      await client.unary(
        Echo,
        { text: "a" },
        {
          metadata: new Map<string, string | Uint8Array>([
            ["suffix", "b"],
            ["raw-bin", Buffer.alloc(3)],
          ]),
        },
      ),
    ).toEqual({ text: "ab", count: 3 });
  });

  it("carries long messages and many at once", async () => {
    const client = connect([(await serve()).endpoint]);
    const texts = Array.from({ length: 200 }, (_, index) => String(index).repeat(index * 20));
    expect((await Promise.all(texts.map((text) => client.unary(Echo, { text })))).map(({ text }) => text)).toEqual(
      texts,
    );
    const long = "x".repeat(4_000_000);
    expect((await client.unary(Echo, { text: long })).text).toBe(long);
  });

  const failures: {
    name: string;
    call: (client: GrpcClient) => Promise<unknown>;
    code: string;
    pattern: RegExp;
    neverSent?: boolean;
  }[] = [
    {
      name: "fails with the server's status",
      call: (client) => client.unary(Fail, {}),
      code: "FAILED_PRECONDITION",
      pattern: /^no: 100 % ü\n$/,
    },
    {
      name: "fails as unknown when the server's code throws",
      call: (client) => client.unary(Fail, { text: "plain" }),
      code: "UNKNOWN",
      pattern: /^oops$/,
    },
    {
      name: "knows a method that is not there",
      call: (client) => client.unary(Missing, {}),
      code: "UNIMPLEMENTED",
      pattern: /Missing/,
    },
    {
      name: "ends at its deadline",
      call: (client) => client.unary(Hang, {}, { timeoutMs: 30 }),
      code: "DEADLINE_EXCEEDED",
      pattern: /not answered within 30 ms/,
    },
    {
      name: "ends when it is cancelled",
      call: (client) => client.unary(Hang, {}, { signal: AbortSignal.timeout(30) }),
      code: "CANCELLED",
      pattern: /cancelled/,
    },
    {
      name: "never begins when it is already cancelled",
      call: (client) => client.unary(Hang, {}, { signal: AbortSignal.abort() }),
      code: "CANCELLED",
      pattern: /cancelled/,
      neverSent: true,
    },
    {
      name: "wants exactly one answer",
      call: (client) => client.unary(Count, { count: 2 }),
      code: "INTERNAL",
      pattern: /answered 2 messages instead of one/,
    },
    {
      name: "refuses an answer that is too long",
      call: (client) => client.unary(Echo, { text: "x".repeat(5_000_000) }),
      code: "RESOURCE_EXHAUSTED",
      pattern: /over the limit/,
    },
  ];
  for (const { name, call, code, pattern, neverSent = false } of failures) {
    it(name, async () => {
      const client = connect([(await serve()).endpoint]);
      await client.unary(Echo, { text: "connected" }); // a call that is cut off before there is a connection was never sent
      const error = await failure(call(client));
      expect(error).toMatchObject({ code, neverSent });
      expect(error.message).toMatch(pattern);
      expect((await client.unary(Echo, { text: "still well" })).text).toBe("still well");
    });
  }

  it("resets its stream when it is cancelled", async () => {
    const client = connect([(await serve()).endpoint]);
    gone.length = 0;
    const cancellation = new AbortController();
    const call = failure(client.unary(Hang, {}, { signal: cancellation.signal }));
    await client.unary(Echo, {}); // answered after the call before it has begun
    cancellation.abort();
    await call;
    await expect.poll(() => gone).toEqual(["hang"]);
  });
});

describe("a stream", () => {
  it("talks both ways", async () => {
    const client = connect([(await serve()).endpoint]);
    const received: string[] = [];
    const stream = await client.stream(Chat, { onMessage: ({ text }) => received.push(text) });
    for (const text of ["a", "b", "bye"]) stream.send({ text });
    await stream.done;
    expect(received).toEqual(["A", "B"]);
  });

  it("ends with the server's error, after its messages", async () => {
    const client = connect([(await serve()).endpoint]);
    const received: string[] = [];
    const stream = await client.stream(Chat, { onMessage: ({ text }) => received.push(text) });
    stream.send({ text: "a" });
    stream.send({ text: "stop" });
    expect(await failure(stream.done)).toMatchObject({ code: "ABORTED", message: "stopped" });
    expect(received).toEqual(["A"]);
  });

  it("receives nothing after it is cancelled", async () => {
    const client = connect([(await serve()).endpoint]);
    let received = 0;
    const stream = await client.stream(Count, {
      onMessage() {
        received += 1;
        if (received === 5) stream.cancel();
      },
    });
    stream.send({ count: 10_000 });
    await stream.done;
    expect(received).toBe(5);
  });

  it("is cancelled by a listener that throws", async () => {
    const client = connect([(await serve()).endpoint]);
    const stream = await client.stream(Count, {
      onMessage: () => {
        throw new Error("not this");
      },
    });
    stream.send({ count: 10 });
    expect(await failure(stream.done)).toMatchObject({
      code: "INTERNAL",
      message: "a message could not be read: not this",
    });
  });

  it("is read in a loop at the reader's pace", async () => {
    const client = connect([(await serve()).endpoint]);
    let last = -1;
    for await (const { count } of readMessages(client, Count, { count: 3000 })) {
      expect(count).toBe(last + 1);
      last = count;
      if (count % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(last).toBe(2999);
  });

  it("is cancelled by leaving the loop", async () => {
    const client = connect([(await serve()).endpoint]);
    for await (const { count } of readMessages(client, Count, { count: 1_000_000 })) if (count === 3) break;
    expect((await client.unary(Echo, { text: "well" })).text).toBe("well");
  });
});

describe("a connection", () => {
  it("goes to the next endpoint when one does not answer", async () => {
    const server = await serve();
    const client = connect(["http://127.0.0.1:1", server.endpoint]);
    expect((await client.unary(Echo, { text: "a" })).text).toBe("a");
    expect(client.endpoint).toBe(server.endpoint);
  });

  it("fails with the reason when no endpoint answers, at once during the pause, and recovers", async () => {
    const server = await serve();
    await server.close();
    const client = connect([server.endpoint], { baseBackoffMs: 50 });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await failure(client.unary(Echo, {}));
      expect(error).toMatchObject({ code: "UNAVAILABLE", neverSent: true });
      expect(error.message).toMatch(/cannot connect to http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
    }
    const patient = client.unary(Echo, { text: "b" }, { patient: true, timeoutMs: 5000 });
    await serve({ listen: { port: Number(server.endpoint.split(":").at(-1)) } });
    expect((await patient).text).toBe("b");
  });

  it("lets a patient call end at its deadline", async () => {
    const client = connect(["http://127.0.0.1:1"]);
    expect(await failure(client.unary(Echo, {}, { patient: true, timeoutMs: 100 }))).toMatchObject({
      code: "DEADLINE_EXCEEDED",
      neverSent: true,
    });
  });

  it("fails running calls when it is lost, and is made again for the next", async () => {
    const first = await serve();
    const second = await serve();
    const client = connect([first.endpoint, second.endpoint]);
    const stream = await client.stream(Chat, { onMessage: () => undefined });
    const call = failure(client.unary(Hang, {}));
    await client.unary(Echo, {});
    await first.close();
    expect(await failure(stream.done)).toMatchObject({ code: "UNAVAILABLE", neverSent: false });
    expect(await call).toMatchObject({ code: "UNAVAILABLE", neverSent: false });
    await client.unary(Echo, {});
    expect(client.endpoint).toBe(second.endpoint);
  });

  it("moves on when asked to, and lets running calls finish", async () => {
    const first = await serve();
    const second = await serve();
    const client = connect([first.endpoint, second.endpoint]);
    const received: string[] = [];
    const stream = await client.stream(Chat, { onMessage: ({ text }) => received.push(text) });
    client.leaveEndpoint();
    await client.unary(Echo, {});
    expect(client.endpoint).toBe(second.endpoint);
    stream.send({ text: "still here" });
    stream.send({ text: "bye" });
    await stream.done;
    expect(received).toEqual(["STILL HERE"]);
  });

  it("notices a server that gives no sign of life", async () => {
    const server = await serve();
    const proxy = await createProxy(Number(server.endpoint.split(":").at(-1)));
    const client = connect([proxy.endpoint], { keepAliveMs: 50, keepAliveTimeoutMs: 50 });
    const stream = await client.stream(Chat, { onMessage: () => undefined });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await client.unary(Echo, {}); // Alive: pings are answered.
    proxy.freeze();
    const error = await failure(stream.done);
    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    expect(error.message).toMatch(/no sign of life for 100 ms/);
  });

  it("gives up on a server that accepts and sends nothing", async () => {
    const silent = await createSilentServer();
    const client = connect([silent.endpoint], { connectTimeoutMs: 50 });
    expect((await failure(client.unary(Echo, {}))).message).toMatch(/no answer within 50 ms/);
  });

  it("works over a socket in the file system", async () => {
    const folder = mkdtempSync(join(tmpdir(), "grpc-"));
    const server = await serve({ listen: { path: join(folder, "s") } });
    expect((await connect([server.endpoint]).unary(Echo, { text: "a" })).text).toBe("a");
    rmSync(folder, { recursive: true });
  });

  it("fails calls when the client is closed", async () => {
    const client = connect([(await serve()).endpoint]);
    const call = failure(client.unary(Hang, {}));
    await client.unary(Echo, {});
    await client.close();
    expect(await call).toMatchObject({ code: "UNAVAILABLE" });
    expect((await failure(client.unary(Echo, {}))).message).toBe("the channel is closed");
  });
});

describe("TLS", () => {
  const validity = {
    notBefore: Date.now() - 60_000,
    notAfter: Date.now() + 3_600_000,
    random: { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) },
  };
  const ca = createAuthority({ subject: { commonName: "ca" }, ...validity });
  const server = createServerIdentity(ca, {
    subject: { commonName: "s" },
    hosts: ["127.0.0.1", "etcd.example"],
    ...validity,
  });
  const client = createClientIdentity(ca, { subject: { commonName: "c" }, ...validity });
  const tls = { certificate: server.pem, key: encodePrivateKey(server.privateKey), clientCa: ca.pem };
  const own = { certificate: client.pem, key: encodePrivateKey(client.privateKey) };

  it("shows a client certificate, and checks the server's name", async () => {
    const { endpoint } = await serve({ tls });
    expect((await connect([endpoint], { tls: { ca: ca.pem, ...own } }).unary(Echo, { text: "a" })).text).toBe("a");
    expect(
      (
        await connect([endpoint], { tls: { ca: ca.pem, serverName: "etcd.example", ...own } }).unary(Echo, {
          text: "a",
        })
      ).text,
    ).toBe("a");
  });

  const refusals: { name: string; tls: GrpcClientOptions["tls"] & object; pattern: RegExp }[] = [
    { name: "a server of an unknown authority", tls: own, pattern: /self-signed|unable to verify/ },
    {
      name: "a server of another name",
      tls: { ca: ca.pem, serverName: "other.example", ...own },
      pattern: /other\.example/,
    },
    { name: "a client without a certificate", tls: { ca: ca.pem }, pattern: /cannot connect/ },
  ];
  for (const { name, tls: clientTls, pattern } of refusals) {
    it(`refuses ${name}`, async () => {
      const { endpoint } = await serve({ tls });
      const error = await failure(connect([endpoint], { tls: clientTls }).unary(Echo, {}));
      expect(error).toMatchObject({ code: "UNAVAILABLE", neverSent: true });
      expect(error.message).toMatch(pattern);
    });
  }
});

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
};

/** Passes bytes on until it is frozen; then connections stay open and send nothing. */
async function createProxy(port: number): Promise<{ endpoint: string; freeze(): void }> {
  const { createConnection } = await import("node:net");
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const target = createConnection({ port, host: "127.0.0.1" });
    for (const end of [socket, target]) sockets.push(end.on("error", () => undefined));
    socket.pipe(target).pipe(socket);
  });
  open.push({ close: () => (sockets.forEach((socket) => socket.destroy()), server.close()) });
  return { endpoint: await listening(server), freeze: () => sockets.forEach((socket) => socket.unpipe().pause()) };
}

async function createSilentServer(): Promise<{ endpoint: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  open.push({ close: () => (sockets.forEach((socket) => socket.destroy()), server.close()) });
  return { endpoint: await listening(server) };
}
