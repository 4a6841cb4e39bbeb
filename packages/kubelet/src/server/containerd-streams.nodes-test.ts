import { mkdir } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { systemRuntime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";
import { busyboxRef } from "@coxswain/tools/images";
import { startTestMachine } from "@coxswain/tools/nodes";
import { connectSpdy, createSpdyConnection, type SpdyConnection, type SpdyStream } from "@coxswain/wire/spdy";
import { channelProtocols, connectWebSocket, openChannels, tunnelThrough } from "@coxswain/wire/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CriClient, createCriClient } from "../cri/cri-client.js";
import type { CriPods } from "../cri/cri-pods.js";
import { createCriStreams } from "../cri/cri-streams.js";
import { runtimeService } from "../gen/cri.js";
import { createLogRotator } from "../logs/log-rotator.js";
import { readLog } from "../logs/read-log.js";
import type { NodeAgent } from "../node/node-agent.js";
import type { PodWorker } from "../worker/pod-worker.js";
import { chunksOf } from "./chunks.js";
import { createKubeletServer, type KubeletServer } from "./kubelet-server.js";

const runtime = systemRuntime({});
const script = "httpd -p 8099 -h /; i=0; while true; do i=$((i+1)); echo line $i; sleep 0.02; done";
let client: CriClient;
let server: KubeletServer;
let agent: NodeAgent;
let containerId: string;
let log: string;

/** A container on containerd, and the server of a kubelet in front of it. */
beforeAll(async () => {
  const { endpoint, folder, cgroupRoot } = await startTestMachine();
  client = createCriClient({ endpoint, runtime, timeoutMs: 60_000 });
  await mkdir(`${folder}/logs/main`, { recursive: true });
  log = `${folder}/logs/main/0.log`;
  const sandboxConfig = {
    metadata: { name: "web", namespace: "default", uid: "u1", attempt: 0 },
    logDirectory: `${folder}/logs`,
    linux: { cgroupParent: `${cgroupRoot}/streams` },
  };
  const { podSandboxId } = await client.call(runtimeService.runPodSandbox, { config: sandboxConfig });
  const config = {
    metadata: { name: "main", attempt: 0 },
    image: { image: busyboxRef },
    command: ["sh", "-c", script],
    logPath: "main/0.log",
    linux: {},
  };
  ({ containerId } = await client.call(runtimeService.createContainer, { podSandboxId, sandboxConfig, config }));
  await client.call(runtimeService.startContainer, { containerId });
  const streaming = createCriStreams(client, { readySandbox: async () => podSandboxId } as unknown as CriPods);
  const status = { name: "main", containerID: `containerd://${containerId}`, state: { running: {} } };
  const pod = { metadata: { name: "web", namespace: "default", uid: "u1" }, spec: { containers: [{ name: "main" }] } };
  const worker = { uid: "u1", pod: () => pod, wanted: () => ({ containerStatuses: [status] }) };
  agent = { name: "node", isConnected: true, context: { containers: { streaming }, runtime } } as unknown as NodeAgent;
  const found = { agent, worker: worker as unknown as PodWorker };
  server = createKubeletServer(
    { nodeAt: () => agent, onlyNode: () => agent, findPod: () => found },
    {
      runtime,
      pages: { config: () => ({}), processMetrics: () => "", debugging: true },
      access: { check: async () => {} },
    },
  );
});
afterAll(async () => {
  await server.stop();
  await client.close();
});

const both = "output=1&error=1";
const dial = (): Duplex => server.connect(agent, undefined);
const execUrl = (command: string, options: string): string =>
  `http://node/exec/default/web/main?${options}&command=sh&command=-c&command=${encodeURIComponent(command)}`;

/**
 * containerd resets streams behind their last bytes. What is read to its end is left alone, as kubectl leaves it: a reset of ours that
 * containerd does not read before it closes the connection makes the kernel drop what was under way, the exit code with it.
 */
async function text(stream: Duplex): Promise<string> {
  let found = "";
  try {
    for await (const chunk of chunksOf(stream)) found += chunk.toString();
  } catch {
    // what came before counts
  }
  return found;
}

interface Request {
  readonly command: string;
  readonly options: string;
  readonly input?: string;
  readonly size?: string;
}

async function overSpdy({ command, options, input, size }: Request): Promise<string[]> {
  const { connection } = await connectSpdy({
    url: execUrl(command, options),
    socket: dial(),
    method: "POST",
    headers: { "X-Stream-Protocol-Version": "v4.channel.k8s.io" },
  });
  const open = async (type: string): Promise<SpdyStream> =>
    (await connection.createStream(new Map([["streamtype", [type]]]))).on("error", () => undefined);
  const status = text(await open("error"));
  const stdin = options.includes("input") ? await open("stdin") : undefined;
  const out = text(await open("stdout"));
  const err = options.includes("tty") ? "" : text(await open("stderr"));
  if (size !== undefined) (await open("resize")).write(size);
  if (input !== undefined) stdin?.end(input);
  const found = [await out, await err, await status];
  connection.destroy();
  return found;
}

async function overWebSocket(protocol: string, { command, options, input, size }: Request): Promise<string[]> {
  const websocket = await connectWebSocket({
    url: execUrl(command, options),
    socket: dial(),
    protocols: [protocol],
    random: runtime.random,
    clock: runtime.ioClock,
  });
  const channels = openChannels(websocket, channelProtocols[protocol] as { codec: "binary"; endsChannels: boolean }, 5);
  if (size !== undefined) channels.channel(4).write(size);
  if (input !== undefined) channels.channel(0).end(input);
  return Promise.all([1, 2, 3].map((number) => text(channels.channel(number))));
}

const ways = [
  { way: "SPDY", run: overSpdy },
  { way: "WebSocket v5", run: overWebSocket.bind(undefined, "v5.channel.k8s.io") },
  { way: "WebSocket v4", run: overWebSocket.bind(undefined, "v4.channel.k8s.io") },
];

describe("streams of containerd, through the kubelet's server", () => {
  for (const { way, run } of ways) {
    it(`${way}: outputs apart, and the exit code`, async () => {
      const [out, err, status] = await run({ command: "echo out; echo err >&2; exit 3", options: both });
      expect([out, err]).toEqual(["out\n", "err\n"]);
      expect(JSON.parse(status ?? "")).toMatchObject({ details: { causes: [{ reason: "ExitCode", message: "3" }] } });
    });
    it(`${way}: a terminal with a size`, async () => {
      const size = '{"Width":91,"Height":33}\n';
      const command = "until [ $(stty size | cut -d' ' -f2) = 91 ]; do sleep 0.05; done; stty size";
      const [out] = await run({ command, options: "output=1&input=1&tty=1", size });
      expect(out).toContain("33 91\r\n");
    });
    it(`${way}: ten megabytes arrive whole`, async () => {
      const [out] = await run({ command: "head -c 10000000 /dev/zero | tr '\\0' x", options: both });
      expect(out?.length).toBe(10_000_000);
    });
    it.runIf(way !== "WebSocket v4")(`${way}: the end of the input`, async () => {
      const [out] = await run({ command: "cat; echo end", options: `${both}&input=1`, input: "typed " });
      expect(out).toBe("typed end\n");
    });
  }

  it("ports over SPDY, and inside a WebSocket", async () => {
    const get = async (connection: SpdyConnection, port: number): Promise<string> => {
      const open = async (type: string): Promise<SpdyStream> => {
        const named = new Map([
          ["streamtype", [type]],
          ["requestid", ["1"]],
          ["port", [String(port)]],
        ]);
        return (await connection.createStream(named)).on("error", () => undefined);
      };
      const error = text(await open("error"));
      const data = await open("data");
      data.end("GET /none HTTP/1.0\r\n\r\n");
      return (await text(data)).split("\r\n")[0] + (await error);
    };
    const url = "http://node/portForward/default/web";
    const headers = { "X-Stream-Protocol-Version": "portforward.k8s.io" };
    const { connection } = await connectSpdy({ url, socket: dial(), method: "POST", headers });
    expect(await get(connection, 8099)).toBe("HTTP/1.1 404 Not Found");
    expect(await get(connection, 1)).toMatch(/^error forwarding port 1 to pod .*connection refused/s);
    connection.destroy();
    const protocols = ["SPDY/3.1+portforward.k8s.io"];
    const settings = { random: runtime.random, clock: runtime.ioClock };
    const tunnel = tunnelThrough(await connectWebSocket({ url, socket: dial(), protocols, ...settings }));
    const tunnelled = createSpdyConnection(tunnel, { role: "client" });
    expect(await get(tunnelled, 8099)).toBe("HTTP/1.1 404 Not Found");
    tunnelled.destroy();
  });
});

it("a log is followed through rotations without losing a line", async () => {
  const exited = new AbortController();
  const numbers: number[] = [];
  let rest = "";
  const request = {
    path: log,
    options: { follow: true },
    ioClock: runtime.ioClock,
    signal: new AbortController().signal,
  };
  const reading = (async () => {
    for await (const { content, isPartial } of readLog({ ...request, exited: exited.signal })) {
      rest += Buffer.from(content).toString();
      if (isPartial) continue;
      numbers.push(Number(rest.split(" ")[1]));
      rest = "";
    }
  })();
  const rotator = createLogRotator({
    maxBytes: 100,
    maxFiles: 3,
    everyMs: 1e9,
    running: async () => [{ id: containerId, path: log }],
    reopen: async (id) => void (await client.call(runtimeService.reopenContainerLog, { containerId: id })),
    runtime,
  });
  for (let rotation = 0; rotation < 3; rotation++) {
    await sleep(1100, { clock: runtime.ioClock });
    await rotator.rotate();
  }
  await sleep(300, { clock: runtime.ioClock });
  await client.call(runtimeService.stopContainer, { containerId, timeout: 0 });
  exited.abort();
  await reading;
  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});
