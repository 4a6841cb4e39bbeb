import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { request } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectSpdy } from "@coxswain/wire/spdy";
import { UpgradeRefused } from "@coxswain/wire/upgrade";
import { channelProtocols, connectWebSocket, openChannels } from "@coxswain/wire/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

const pods = "/api/v1/namespaces/default/pods/web";
const proxy = "/api/v1/nodes/n1/proxy";
const settings = { clock: systemClock, random: systemRandom };

/** Endpoints may not be loopback addresses. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((known) => known?.family === "IPv4" && !known.internal)?.address;

const readAll = async (stream: AsyncIterable<unknown>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

describe("streams to a node", { timeout: 30_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster();
  });
  afterAll(() => cluster.stop());

  const last = () => cluster.node.asked.at(-1);
  /** Runs a command over a WebSocket of this protocol. */
  async function command(
    protocol: string,
    query: string,
    input?: string,
  ): Promise<{ stdout: string; stderr: string; error: string }> {
    const websocket = await connectWebSocket({
      url: `${cluster.url}${pods}/exec?container=main&${query}`,
      protocols: [protocol],
      tls: cluster.tls,
      ...settings,
    });
    const channels = openChannels(websocket, channelProtocols[protocol]!, 5);
    if (input !== undefined) channels.channel(0).end(input);
    const [stdout, stderr, error] = await Promise.all([1, 2, 3].map((number) => readAll(channels.channel(number))));
    return { stdout: stdout ?? "", stderr: stderr ?? "", error: error ?? "" };
  }

  it("a log is plain text, asked for with the kubelet's certificate of ours", async () => {
    const answer = await cluster.ask("GET", `${pods}/log?container=main&tailLines=3`);
    expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([200, "text/plain", "one\ntwo\n"]);
    expect(last()).toMatchObject({
      url: "/containerLogs/default/web/main?tailLines=3",
      client: "kube-apiserver-kubelet-client",
    });
  });

  it("a refusal of the kubelet is passed on with its message", async () => {
    expect(JSON.parse((await cluster.ask("GET", `${pods}/log?container=refusing`)).text)).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: "container is waiting to start",
    });
  });

  for (const { status, code } of [
    { status: "101", code: 500 },
    { status: "099", code: 500 },
    { status: "999", code: 502 },
  ])
    it(`a kubelet's status ${status} does not reach a client that asked for a log`, async () => {
      const answer = await cluster.ask("GET", `${pods}/log?container=status-${status}`);
      expect(answer.status).toBe(code);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: "Status", code });
    });

  it("a log that nobody reads does not grow in memory, and one that is left frees its connection", async () => {
    const sent = request(`${cluster.url}${pods}/log?container=flood`, { agent: false, ...cluster.tls });
    sent.on("error", () => undefined).end();
    const response = await new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
    response.pause();
    // It stops when the buffers on the way are full. Others are served meanwhile, for long enough to take in far more than that.
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await cluster.ask("GET", `${pods}/log?container=main`)).text).toBe("one\ntwo\n");
      expect(cluster.node.flooded.bytes).toBeLessThan(64 << 20);
    }
    const freed = Promise.all(
      [...cluster.node.sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve))),
    );
    response.on("error", () => undefined);
    response.destroy();
    await freed;
  });

  it("a log over a WebSocket begins with an empty message", async () => {
    const websocket = await connectWebSocket({
      url: `${cluster.url}${pods}/log?container=main`,
      protocols: ["base64.binary.k8s.io"],
      tls: cluster.tls,
      ...settings,
    });
    const messages: string[] = [];
    await new Promise<void>((resolve) =>
      websocket.listen({ onMessage: (data) => void messages.push(data.toString()), onClose: () => resolve() }),
    );
    expect([websocket.protocol, messages[0], Buffer.from(messages.slice(1).join(""), "base64").toString()]).toEqual([
      "base64.binary.k8s.io",
      "",
      "one\ntwo\n",
    ]);
  });

  for (const protocol of ["v5.channel.k8s.io", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"]) {
    it(`a command over ${protocol}: both outputs and how it ended`, async () => {
      const { stdout, stderr, error } = await command(
        protocol,
        "command=sh&command=-c&command=echo+out%3B+echo+err+>%262%3B+exit+3&stdout=true&stderr=true",
      );
      expect([stdout, stderr]).toEqual(["out\n", "err\n"]);
      expect(JSON.parse(error)).toMatchObject({
        status: "Failure",
        reason: "NonZeroExitCode",
        details: { causes: [{ reason: "ExitCode", message: "3" }] },
      });
    });
  }

  it("the end of the input reaches a command over v5", async () => {
    const text = "x".repeat(3_000_000);
    const { stdout, error } = await command("v5.channel.k8s.io", "command=cat&stdin=true&stdout=true", text);
    expect(stdout === text).toBe(true);
    expect(JSON.parse(error)).toEqual({ metadata: {}, status: "Success" });
    expect(last()?.url).toBe("/exec/default/web/main?command=cat&input=1&output=1");
  });

  it("a kubelet that refuses v5 is reported on the error channel", async () => {
    const websocket = await connectWebSocket({
      url: `${cluster.url}${pods}/exec?container=refusing&command=ls&stdout=1`,
      protocols: ["v5.channel.k8s.io"],
      tls: cluster.tls,
      ...settings,
    });
    const channels = openChannels(websocket, channelProtocols["v5.channel.k8s.io"]!, 5);
    const [, error] = await Promise.all([readAll(channels.channel(1)), readAll(channels.channel(3))]);
    expect(JSON.parse(error)).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: "Internal error occurred: unable to upgrade connection: the container is not running",
    });
  });

  it("a kubelet that refuses SPDY is passed on as it is", async () => {
    const refused = connectSpdy({
      url: `${cluster.url}${pods}/exec?container=refusing&command=ls`,
      method: "POST",
      tls: cluster.tls,
    });
    await expect(refused).rejects.toSatisfy(
      (err) =>
        err instanceof UpgradeRefused && err.status === 500 && err.body.toString() === "the container is not running",
    );
  });

  it("a command over SPDY", async () => {
    const { connection, headers } = await connectSpdy({
      url: `${cluster.url}${pods}/exec?container=main&command=cat&stdin=1&stdout=1`,
      method: "POST",
      headers: { "X-Stream-Protocol-Version": ["v4.channel.k8s.io", "v3.channel.k8s.io"] },
      tls: cluster.tls,
    });
    expect(headers["x-stream-protocol-version"]).toBe("v4.channel.k8s.io");
    const [error, stdin, stdout] = await Promise.all(
      ["error", "stdin", "stdout"].map((type) => connection.createStream(new Map([["streamtype", [type]]]))),
    );
    stdin?.end("hello");
    expect(await readAll(stdout!)).toBe("hello");
    expect(JSON.parse(await readAll(error!))).toMatchObject({ status: "Success" });
    connection.destroy();
  });

  it("a client that leaves ends the command", async () => {
    const { connection } = await connectSpdy({
      url: `${cluster.url}${pods}/exec?container=main&command=sleep&command=60&stdout=1`,
      method: "POST",
      headers: { "X-Stream-Protocol-Version": "v4.channel.k8s.io" },
      tls: cluster.tls,
    });
    const gone = Promise.all(
      [...cluster.node.sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve))),
    );
    connection.destroy();
    await gone;
  });

  for (const protocol of ["v5.channel.k8s.io", "v4.channel.k8s.io"]) {
    it(`a terminal over ${protocol}: what its size becomes reaches the command`, async () => {
      const resized = once(cluster.node.events, "resize");
      const websocket = await connectWebSocket({
        url: `${cluster.url}${pods}/exec?container=main&command=cat&stdin=1&stdout=1&tty=1`,
        protocols: [protocol],
        tls: cluster.tls,
        ...settings,
      });
      const channels = openChannels(websocket, channelProtocols[protocol]!, 5);
      channels.channel(4).write('{"Width":132,"Height":43}');
      expect(JSON.parse(String((await resized)[0]))).toEqual({ Width: 132, Height: 43 });
      expect(last()?.url).toBe("/exec/default/web/main?command=cat&input=1&output=1&tty=1");
      const echoed = once(channels.channel(1), "data");
      channels.channel(0).write("typed");
      expect(String((await echoed)[0])).toBe("typed");
      websocket.destroy();
    });
  }

  it("a command whose output nobody reads does not grow in memory", async () => {
    cluster.node.flooded.bytes = 0;
    const key = Buffer.alloc(16, 1).toString("base64");
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": key,
      "Sec-WebSocket-Protocol": "v5.channel.k8s.io",
    };
    const sent = request(`${cluster.url}${pods}/exec?container=main&command=cat&command=/dev/zero&stdout=1`, {
      headers,
      agent: false,
      ...cluster.tls,
    });
    const upgraded = once(sent, "upgrade");
    const started = once(cluster.node.events, "started");
    sent.end();
    const socket = (await upgraded)[1] as Socket;
    socket.on("error", () => undefined).pause();
    await started;
    for (let asked = 0; asked < 20; asked += 1) {
      await cluster.ask("GET", `${pods}/log?container=main`);
      expect(cluster.node.flooded.bytes).toBeLessThan(64 << 20);
    }
    const gone = Promise.all(
      [...cluster.node.sockets].map((one) => new Promise((resolve) => one.once("close", resolve))),
    );
    socket.destroy();
    await gone;
  });

  it("a node that cuts a command ends the client's connection", async () => {
    const started = once(cluster.node.events, "started");
    const websocket = await connectWebSocket({
      url: `${cluster.url}${pods}/exec?container=main&command=sleep&command=60&stdout=1`,
      protocols: ["v5.channel.k8s.io"],
      tls: cluster.tls,
      ...settings,
    });
    const closed = new Promise<void>((resolve) =>
      websocket.listen({ onMessage: () => undefined, onClose: () => resolve() }),
    );
    const { connection } = await connectSpdy({
      url: `${cluster.url}${pods}/portforward`,
      method: "POST",
      headers: { "X-Stream-Protocol-Version": "portforward.k8s.io" },
      tls: cluster.tls,
    });
    const ended = new Promise<void>(
      (resolve) =>
        void connection.closed.then(
          () => resolve(),
          () => resolve(),
        ),
    );
    await started;
    cluster.node.cut();
    await Promise.all([closed, ended]);
  });

  it("a proxy hands a connection on that becomes something else", async () => {
    const sent = request(`${cluster.url}${proxy}/echo`, {
      headers: { Connection: "Upgrade", Upgrade: "echo", Authorization: "Bearer secret" },
      agent: false,
      ...cluster.tls,
    });
    const upgraded = once(sent, "upgrade");
    sent.end();
    const [response, socket, head] = (await upgraded) as [IncomingMessage, Socket, Buffer];
    expect([response.statusCode, response.headers.upgrade, response.headers["x-node"]]).toEqual([101, "echo", "here"]);
    expect(last()?.headers.authorization).toBeUndefined();
    const gone = Promise.all(
      [...cluster.node.sockets].map((one) => new Promise((resolve) => one.once("close", resolve))),
    );
    let text = head.toString();
    socket.write("there");
    for await (const chunk of socket) {
      text += String(chunk);
      if (text === "hello there") break; // and the connection goes with it
    }
    expect(text).toBe("hello there");
    await gone;
  });

  it("a proxy reports a connection that must not be upgraded", async () => {
    const sent = request(`${cluster.url}${proxy}/refusing`, {
      headers: { Connection: "Upgrade", Upgrade: "echo" },
      agent: false,
      ...cluster.tls,
    });
    const answered = once(sent, "response");
    sent.end();
    const response = (await answered)[0] as IncomingMessage;
    expect([response.statusCode, await readAll(response)]).toEqual([500, "the container is not running"]);
  });

  it("other certificates for kubelets count from the next connection on", async () => {
    const { cert, key, ca } = cluster.tls;
    cluster.server.replaceKubeletCredentials({ certificate: cert, key, authority: ca });
    await cluster.ask("GET", `${pods}/log?container=main`);
    expect(last()?.client).toBe("kubernetes-admin");
    cluster.server.replaceKubeletCredentials({ certificate: cert, key, authority: cert });
    expect((await cluster.ask("GET", `${pods}/log?container=main`)).text).toContain(
      "certificate signed by unknown authority",
    );
    cluster.server.replaceKubeletCredentials(cluster.kubelet);
    expect((await cluster.ask("GET", `${pods}/log?container=main`)).text).toBe("one\ntwo\n");
  });

  it("a page of a proxy leads back through it", async () => {
    const { text, headers } = await cluster.ask("GET", `${proxy}/page`);
    expect(text).toBe(
      `<a href="${proxy}/next">next</a><A HREF="${proxy}/bare">b</A><img src='near.png'><script>"<a href=/no>"</script>`,
    );
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect((await cluster.ask("GET", `${proxy}/moved`)).headers.location).toBe(`${proxy}/next?x=1`);
    expect(await cluster.ask("GET", proxy)).toMatchObject({ status: 301, headers: { location: `${proxy}/` } });
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    it(`a proxy carries ${method} with its body and its query`, async () => {
      const answer = await cluster.ask(method, `${proxy}/a%20b/c/?q=1&q=2`, {
        headers: { authorization: "Bearer secret", "content-length": "5" },
        body: "hello",
      });
      expect([answer.status, answer.headers["x-method"], answer.headers["x-uri"], answer.text]).toEqual([
        200,
        method,
        `${proxy}/a%20b/c/`,
        "hello",
      ]);
      expect(last()?.url).toBe("/a%20b/c/?q=1&q=2");
      expect(last()?.headers).toMatchObject({ host: new URL(cluster.url).host, "x-forwarded-for": "127.0.0.1" });
      expect(last()?.headers.authorization).toBeUndefined();
    });
  }

  it.skipIf(ownAddress === undefined)(
    "a proxy to a pod and to a service, by name and by number of the port",
    async () => {
      const ip = ownAddress ?? "";
      const backend = createServer((request, response) => void response.end(`${request.method} ${request.url}`)).listen(
        0,
        "0.0.0.0",
      );
      await once(backend, "listening");
      const { port } = backend.address() as AddressInfo;
      await cluster.create("/api/v1/namespaces/default/pods", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "back" },
        spec: { containers: [{ name: "main", image: "registry.example/app:1", ports: [{ containerPort: port }] }] },
      });
      await cluster.merge("/api/v1/namespaces/default/pods/back/status", { status: { podIP: ip, podIPs: [{ ip }] } });
      await cluster.create("/api/v1/namespaces/default/services", {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "front" },
        spec: { ports: [{ name: "web", port: 80 }] },
      });
      await cluster.create("/api/v1/namespaces/default/endpoints", {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { name: "front" },
        subsets: [
          {
            addresses: [{ ip, targetRef: { kind: "Pod", namespace: "default", name: "back" } }],
            ports: [{ name: "web", port }],
          },
        ],
      });
      for (const path of [
        "pods/back",
        `pods/back:${port}`,
        `pods/http:back:${port}`,
        "services/front:web",
        "services/http:front:web",
        "services/front:80",
      ]) {
        const { status, text } = await cluster.ask("GET", `/api/v1/namespaces/default/${path}/proxy/x?y=1`);
        expect([path, status, text]).toEqual([path, 200, "GET /x?y=1"]);
      }
      backend.close();
    },
  );

  it("a server that stops ends what is open", async () => {
    const other = await startTestCluster();
    const sent = request(`${other.url}${pods}/log?container=main&follow=true`, { agent: false, ...other.tls });
    const cut = new Promise<void>((resolve) =>
      sent.once("response", (response) =>
        response
          .on("error", () => undefined)
          .once("data", () => void other.stop())
          .once("close", resolve),
      ),
    );
    sent.on("error", () => undefined).end();
    const websocket = await connectWebSocket({
      url: `${other.url}${pods}/exec?container=main&command=cat&stdin=1&stdout=1`,
      protocols: ["v5.channel.k8s.io"],
      tls: other.tls,
      ...settings,
    });
    const closed = new Promise<void>((resolve) =>
      websocket.listen({ onMessage: () => undefined, onClose: () => resolve() }),
    );
    await Promise.all([cut, closed]);
  });
});
