import { text } from "node:stream/consumers";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectSpdy, createSpdyConnection, type SpdyConnection, type SpdyStream } from "@coxswain/wire/spdy";
import { UpgradeRefused } from "@coxswain/wire/upgrade";
import {
  type Channels,
  channelProtocols,
  connectWebSocket,
  openChannels,
  tunnelThrough,
} from "@coxswain/wire/websocket";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NodeAgent } from "../node/node-agent.js";
import type { Streaming, StreamsInside } from "../runtime/container-runtime.js";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { type StreamingServer, startStreamingServer } from "./streaming-server.test.support.js";

/** Everything twice: streams that end in this process, and streams by the runtime's own server. */
let cluster: TestNodes;
let agent: NodeAgent;
let inside: StreamsInside;
let runtimeServer: StreamingServer;
beforeAll(async () => {
  cluster = await startTestNodes();
  await cluster.createPod("web");
  await cluster.settle();
  agent = cluster.nodes.agent("node-0") as NodeAgent;
  inside = agent.context.containers.streaming as StreamsInside;
  runtimeServer = await startStreamingServer(inside, cluster.runtime);
});
afterAll(async () => {
  await runtimeServer.stop();
  await cluster.stop();
});

const connect = () =>
  cluster.nodes.server.connect(agent, { name: "kube-apiserver-kubelet-client", groups: ["system:masters"] });
const urlOf = (path: string): string => `http://node-0/${path}`;
const execUrl = (command: string, options: string): string =>
  urlOf(`exec/default/web/main?${options}&command=sh&command=-c&command=${encodeURIComponent(command)}`);

async function openSpdy(url: string): Promise<SpdyConnection> {
  const headers = { "X-Stream-Protocol-Version": "v4.channel.k8s.io", Authorization: "Bearer secret" };
  return (await connectSpdy({ url, socket: connect(), method: "POST", headers })).connection;
}
const openWebSocket = (url: string, protocols: string[]) =>
  connectWebSocket({ url, socket: connect(), protocols, random: systemRandom, clock: systemClock });

interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly status: string;
}

async function overSpdy(command: string, options: string, input: string, sizes: string[]): Promise<Outcome> {
  const connection = await openSpdy(execUrl(command, options));
  const open = (type: string): Promise<SpdyStream> => connection.createStream(new Map([["streamtype", [type]]]));
  const status = text(await open("error"));
  const stdin = options.includes("input") ? await open("stdin") : undefined;
  stdin?.on("error", () => undefined); // the command ended before its input
  const out = text(await open("stdout"));
  const err = options.includes("tty") ? "" : text(await open("stderr"));
  if (options.includes("tty")) (await open("resize")).end(sizes.join(""));
  stdin?.end(input);
  const outcome = { out: await out, err: await err, status: await status };
  connection.destroy();
  return outcome;
}

async function overWebSocket(protocol: string, command: string, options: string, input: string, sizes: string[]) {
  const websocket = await openWebSocket(execUrl(command, options), [protocol]);
  const channels: Channels = openChannels(
    websocket,
    channelProtocols[protocol] as { codec: "binary"; endsChannels: boolean },
    5,
  );
  for (const size of sizes) channels.channel(4).write(size);
  if (options.includes("input")) channels.channel(0).end(input);
  const [out, err, status] = [1, 2, 3].map((number) => text(channels.channel(number)));
  return { out: await out, err: await err, status: await status } as Outcome;
}

const success = '{"metadata":{},"status":"Success"}';
const both = "output=1&error=1";

for (const kind of ["inside", "url"] as const)
  describe(`streams of a runtime: ${kind}`, () => {
    beforeEach(() => {
      const streaming: Streaming = kind === "inside" ? inside : runtimeServer.streaming;
      Object.defineProperty(agent.context.containers, "streaming", { value: streaming, configurable: true });
    });

    const ways = [
      { way: "SPDY", run: overSpdy, endsInput: true },
      { way: "WebSocket v5", run: overWebSocket.bind(undefined, "v5.channel.k8s.io"), endsInput: true },
      { way: "WebSocket v4", run: overWebSocket.bind(undefined, "v4.channel.k8s.io"), endsInput: false },
    ];
    for (const { way, run, endsInput } of ways) {
      it(`exec over ${way}: outputs apart, and the exit code`, async () => {
        const found = await run("echo out; echo err >&2; exit 3", both, "", []);
        expect(found).toMatchObject({ out: "out\n", err: "err\n" });
        expect(JSON.parse(found.status)).toMatchObject({
          status: "Failure",
          reason: "NonZeroExitCode",
          details: { causes: [{ reason: "ExitCode", message: "3" }] },
        });
      });
      it.runIf(endsInput)(`exec over ${way}: the end of the input arrives, and output that follows it`, async () => {
        const found = await run("cat; echo end", `${both}&input=1`, "typed ", []);
        expect(found).toEqual({ out: "typed end\n", err: "", status: success });
      });
      it(`exec over ${way}: a terminal has one output and a size`, async () => {
        runtimeServer.sizes.length = 0;
        const size = '{"Width":80,"Height":24}';
        const found = await run("echo out; echo err >&2", `${both}&tty=1`, "", [size]);
        expect(found).toEqual({ out: "out\r\nerr\r\n", err: "", status: success });
        if (kind === "url") expect(runtimeServer.sizes.join("")).toBe(size);
      });
      it(`exec over ${way}: half a megabyte`, async () => {
        const found = await run("i=0; while [ $i -lt 500 ]; do printf '%1000s' x; i=$((i+1)); done", both, "", []);
        expect(found.out.length).toBe(500_000);
      });
    }

    it("ports are forwarded over SPDY, and inside a WebSocket", async () => {
      const forward = async (connection: SpdyConnection, port: number): Promise<string> => {
        const open = (type: string): Promise<SpdyStream> =>
          connection.createStream(
            new Map([
              ["streamtype", [type]],
              ["requestid", ["1"]],
              ["port", [String(port)]],
            ]),
          );
        const error = text(await open("error"));
        const data = await open("data");
        data.end("GET /there HTTP/1.1\r\nHost: x\r\n\r\n");
        const answer = await text(data);
        return `${answer.split("\r\n\r\n")[1]}${await error}`;
      };
      const url = urlOf("portForward/default/web");
      const want = '{"pod":"web","port":8080,"method":"GET","path":"/there"}';
      const spdy = await openSpdy(url);
      expect((await forward(spdy, 8080)).trim()).toBe(want);
      spdy.destroy();
      const tunnel = tunnelThrough(await openWebSocket(url, ["SPDY/3.1+portforward.k8s.io"]));
      const tunnelled = createSpdyConnection(tunnel, { role: "client" });
      expect((await forward(tunnelled, 8080)).trim()).toBe(want);
      tunnelled.destroy();
    });

    it("ports are forwarded over the channels of a WebSocket", async () => {
      const websocket = await openWebSocket(urlOf("portForward/default/web?port=8080&port=81"), ["v4.channel.k8s.io"]);
      const channels = openChannels(websocket, { codec: "binary", endsChannels: false }, 4);
      const data = channels.channel(2);
      const numbers = [0, 1, 2, 3].map(async (number) => {
        for await (const chunk of channels.channel(number).iterator({ destroyOnReturn: false }))
          return (chunk as Buffer).readUInt16LE();
        return 0;
      });
      expect(await Promise.all(numbers)).toEqual([8080, 8080, 81, 81]);
      data.write("GET /there HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      let answer = "";
      for await (const chunk of data.iterator({ destroyOnReturn: false })) {
        answer += String(chunk);
        if (answer.includes("}")) break;
      }
      expect(answer).toContain('{"pod":"web","port":81,"method":"GET","path":"/there"}');
      websocket.destroy();
    });

    const refusals = [
      { name: "no streams at all", path: "exec/default/web/main?command=ls", status: 400 },
      { name: "a pod that is not there", path: "exec/default/none/main?output=1&command=ls", status: 404 },
      { name: "a container that is not there", path: "attach/default/web/none?output=1", status: 404 },
      { name: "no ports", path: "portForward/default/web", status: 400 },
      { name: "a port that is none", path: "portForward/default/web?port=70000", status: 400 },
    ];
    for (const { name, path, status } of refusals)
      it(`refuses ${name}`, async () => {
        const refused = await openWebSocket(urlOf(path), ["v4.channel.k8s.io"]).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(UpgradeRefused);
        expect((refused as UpgradeRefused).status).toBe(status);
      });
  });

describe("the runtime's server", () => {
  const streamBy = (exec: () => Promise<string>): void => {
    Object.defineProperty(agent.context.containers, "streaming", {
      value: { ...runtimeServer.streaming, exec },
      configurable: true,
    });
  };
  it("never sees what authorized the client, and is asked only for what it returned", async () => {
    Object.defineProperty(agent.context.containers, "streaming", {
      value: runtimeServer.streaming,
      configurable: true,
    });
    runtimeServer.requests.length = 0;
    await overSpdy("exit 0", both, "", []);
    expect(runtimeServer.requests.map(({ url, headers }) => [url.split("-")[0], headers.authorization])).toEqual([
      ["/exec/token", undefined],
    ]);
  });
  const failures = [
    { name: "that refuses", exec: () => Promise.reject(new Error("no such container")), message: "no such container" },
    { name: "that returns no URL", exec: async () => "file:///etc/shadow", message: "returned no URL" },
    { name: "that is not there", exec: async () => "http://127.0.0.1:1/exec/x", message: "error dialing backend" },
  ];
  for (const { name, exec, message } of failures)
    it(`${name}: the client sees why`, async () => {
      streamBy(exec);
      const refused = (await openSpdy(execUrl("ls", both)).catch((error: unknown) => error)) as UpgradeRefused;
      expect(refused.status).toBe(500);
      expect(refused.body.toString()).toContain(message);
    });
  it("that refuses a token: version 5 has it on the error stream", async () => {
    streamBy(
      async () =>
        `${(await runtimeServer.streaming.attach({ id: "", stdin: false, stdout: true, stderr: false, tty: false })).replace("token", "old")}`,
    );
    const { status } = await overWebSocket("v5.channel.k8s.io", "ls", both, "", []);
    expect(JSON.parse(status)).toMatchObject({ status: "Failure", reason: "InternalError" });
  });
});
