import { once } from "node:events";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server } from "node:net";
import type { Probe } from "@coxswain/api/core/v1";
import { testRuntime } from "@coxswain/runtime";
import { createGrpcServer, GrpcError, serveUnary } from "@coxswain/wire/grpc";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterEach, describe, expect, it } from "vitest";
import { createNetworkProber } from "./create-network-prober.js";
import { healthCheck } from "./grpc-probe.js";

const runtime = testRuntime(1);
const { runHttpHook, probe } = createNetworkProber(runtime);
const container = { name: "main", image: "app" };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener): Promise<number> => listen(createHttp(listener));
async function serveTls(listener: RequestListener): Promise<number> {
  const options = { notBefore: 0, notAfter: 4e12, random: runtime.random };
  const authority = createAuthority({ ...options, subject: { commonName: "not trusted" } });
  const { pem, privateKey } = createServerIdentity(authority, {
    ...options,
    subject: { commonName: "other" },
    hosts: ["other"],
  });
  return listen(createHttps({ cert: pem, key: encodePrivateKey(privateKey) }, listener));
}
async function unusedPort(): Promise<number> {
  const server = createTcp();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}
async function ask(fields: Partial<Probe>): Promise<string> {
  const result = await probe({ id: "1", container, podIP: "127.0.0.1", probe: { timeoutSeconds: 5, ...fields } });
  return `${result.kind}: ${result.kind === "error" ? `${result.state} ${result.error}` : result.output}`;
}
const hung: RequestListener = () => {};

describe("HTTP probes", () => {
  const statuses: { name: string; listener: RequestListener; result: string | RegExp }[] = [
    { name: "200 is a success", listener: (_, answer) => answer.end("fine"), result: "success: fine" },
    { name: "399 is a warning", listener: (_, answer) => answer.writeHead(399).end("hm"), result: /^warning: .*hm$/ },
    {
      name: "a failure does not show the body",
      listener: (_, answer) => answer.writeHead(500).end("secret"),
      result: "failure: HTTP probe failed with statuscode: 500",
    },
    {
      name: "a redirect to another host is a warning",
      listener: (_, answer) => answer.writeHead(302, { location: "http://169.254.169.254/" }).end("there"),
      result: "warning: Probe terminated redirects, Response body: there",
    },
    {
      name: "a redirect within the host is followed",
      listener: ({ url }, answer) => (url === "/b" ? answer.end("b") : answer.writeHead(302, { location: "/b" }).end()),
      result: "success: b",
    },
    {
      name: "a redirect without end is a failure",
      listener: (_, answer) => answer.writeHead(302, { location: "/" }).end(),
      result: /^failure: Get "http:.*": stopped after 10 redirects$/,
    },
    {
      name: "the server hangs up",
      listener: ({ socket }) => socket.destroy(),
      result: /^failure: Get "http:.*": EOF$/,
    },
    {
      name: "a body that is cut is no result",
      listener: (_, answer) => {
        answer.writeHead(200, { "content-length": "100" }).write("half", () => answer.destroy());
      },
      result: "error: failure unexpected EOF",
    },
    {
      name: "what the probe sends",
      listener: ({ method, url, headers }, answer) =>
        answer.end([method, url, headers["user-agent"], headers["x-a"], headers.connection].join(" ")),
      result: "success: GET /q?r=s kube-probe/1.36 1, 2 close",
    },
  ];
  for (const { name, listener, result } of statuses)
    it(name, async () => {
      const httpHeaders = [
        { name: "X-A", value: "1" },
        { name: "X-A", value: "2" },
      ];
      const path = name === "what the probe sends" ? "/q?r=s" : "/";
      const found = await ask({ httpGet: { port: await serve(listener), path, httpHeaders } });
      if (typeof result === "string") expect(found).toBe(result);
      else expect(found).toMatch(result);
    });

  it("a body without end is read to 10 KiB", async () => {
    const port = await serve((_, answer) => {
      const more = (): void => void answer.write(Buffer.alloc(65536, "x"), more);
      more();
    });
    expect((await ask({ httpGet: { port } })).length).toBe("success: ".length + 10 * 1024);
  });
  it("certificates are not checked", async () => {
    const port = await serveTls((_, answer) => answer.end("safe"));
    expect(await ask({ httpGet: { port, scheme: "HTTPS" } })).toBe("success: safe");
  });
  it("nothing listens", async () => {
    const port = await unusedPort();
    expect(await ask({ httpGet: { port } })).toBe(
      `failure: Get "http://127.0.0.1:${port}/": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });
  it("no response in time", async () => {
    const found = await ask({ httpGet: { port: await serve(hung) }, timeoutSeconds: 0.05 });
    expect(found).toMatch(/^failure: .*context deadline exceeded \(Client.Timeout exceeded while awaiting headers\)$/);
  });
  it("a port that is not there is an error", async () => {
    expect(await ask({ httpGet: { port: "none" } })).toMatch(/^error: unknown strconv.Atoi/);
  });
});

describe("TCP probes", () => {
  it("a connection is enough", async () => {
    expect(await ask({ tcpSocket: { port: await listen(createTcp()) } })).toBe("success: ");
  });
  it("nothing listens", async () => {
    const port = await unusedPort();
    expect(await ask({ tcpSocket: { port } })).toBe(`failure: dial tcp 127.0.0.1:${port}: connect: connection refused`);
  });
});

describe("gRPC probes", () => {
  const check = async (answer: (service: string) => number, fields: Partial<Probe> = {}): Promise<string> => {
    const methods = [serveUnary(healthCheck, ({ service }) => ({ status: answer(service) }))];
    const server = await createGrpcServer({ methods, listen: { port: 0 } });
    closing.push(() => server.close());
    return ask({ grpc: { port: portOf(server.endpoint), service: "liveness" }, ...fields });
  };
  const portOf = (endpoint: string): number => Number(/:(\d+)$/.exec(endpoint)?.[1]);
  const cases = [
    {
      name: "serving",
      answer: (service: string) => (service === "liveness" ? 1 : 2),
      result: "success: service healthy",
    },
    { name: "not serving", answer: () => 2, result: 'failure: service unhealthy (responded with "NOT_SERVING")' },
    {
      name: "a service that is not known",
      answer: () => {
        throw new GrpcError("NOT_FOUND", "unknown service");
      },
      result: "failure: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    },
  ];
  for (const { name, answer, result } of cases) it(name, async () => expect(await check(answer)).toBe(result));
  it("a server without health checks", async () => {
    const server = await createGrpcServer({ methods: [], listen: { port: 0 } });
    closing.push(() => server.close());
    expect(await ask({ grpc: { port: portOf(server.endpoint) } })).toMatch(
      /^failure: error: this server does not implement the grpc health protocol \(grpc.health.v1.Health\): /,
    );
  });
  it("nothing listens", async () => {
    const port = await unusedPort();
    expect(await ask({ grpc: { port }, timeoutSeconds: 0.05 })).toBe(
      `failure: timeout: failed to connect service "127.0.0.1:${port}" within 50ms: context deadline exceeded`,
    );
  });
});

describe("HTTP hooks", () => {
  const run = (port: number, scheme?: "HTTPS") =>
    runHttpHook(
      { id: "1", container, podIP: "127.0.0.1", httpGet: { port, path: "/", ...(scheme && { scheme }) } },
      new AbortController().signal,
    );
  it("any response is good", async () => {
    expect(await run(await serve((_, answer) => answer.writeHead(500).end()))).toEqual({});
  });
  it("no response is a failure", async () => {
    expect((await run(await unusedPort())).failure).toMatch(/connection refused$/);
  });
  it("an HTTPS hook that meets plain HTTP is tried again without TLS", async () => {
    const port = await serve((_, answer) => answer.end());
    expect(await run(port, "HTTPS")).toEqual({ fellBackToHttp: `127.0.0.1:${port}` });
  });
  it("ends when it is aborted", async () => {
    const port = await serve(hung);
    const ending = new AbortController();
    const running = runHttpHook({ id: "1", container, podIP: "127.0.0.1", httpGet: { port } }, ending.signal);
    ending.abort();
    expect((await running).failure).toBeDefined();
  });
});
