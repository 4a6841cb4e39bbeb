import { text } from "node:stream/consumers";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectSpdy, type SpdyStream } from "@coxswain/wire/spdy";
import { type ChannelProtocol, channelProtocols, connectWebSocket, openChannels } from "@coxswain/wire/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NodeAgent } from "../node/node-agent.js";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";

let cluster: TestNodes;
beforeAll(async () => {
  cluster = await startTestNodes();
  await cluster.createPod("web");
  await cluster.settle();
});
afterAll(() => cluster.stop());

const urlOf = (command: string): string =>
  `http://node-0/exec/default/web/main?output=1&command=sh&command=-c&command=${encodeURIComponent(command)}`;
const connect = () =>
  cluster.nodes.server.connect(cluster.nodes.agent("node-0") as NodeAgent, {
    name: "kube-apiserver-kubelet-client",
    groups: ["system:masters"],
  });

/** What stands on the error stream of a command. */
async function overSpdy(protocol: string, command: string): Promise<string> {
  const { connection } = await connectSpdy({
    url: urlOf(command),
    socket: connect(),
    method: "POST",
    headers: { "X-Stream-Protocol-Version": protocol },
  });
  const open = (type: string): Promise<SpdyStream> => connection.createStream(new Map([["streamtype", [type]]]));
  const error = text(await open("error"));
  (await open("stdout")).resume();
  const found = await error;
  connection.destroy();
  return found;
}

async function overWebSocket(protocol: string, command: string): Promise<string> {
  const websocket = await connectWebSocket({
    url: urlOf(command),
    socket: connect(),
    protocols: protocol === "" ? [] : [protocol],
    random: systemRandom,
    clock: systemClock,
  });
  const channels = openChannels(websocket, channelProtocols[protocol] as ChannelProtocol, 5);
  for (const unread of [0, 1, 2, 4]) channels.channel(unread).resume();
  return text(channels.channel(3));
}

/** The first message of a command's WebSocket, as it is on the wire. */
async function firstMessage(protocol: string, query: string): Promise<string> {
  const websocket = await connectWebSocket({
    url: `http://node-0/exec/default/web/main?command=true${query}`,
    socket: connect(),
    protocols: protocol === "" ? [] : [protocol],
    random: systemRandom,
    clock: systemClock,
  });
  return new Promise((resolve) => {
    websocket.listen({ onMessage: (data) => resolve(data.toString("latin1")), onClose: () => resolve("closed") });
  });
}

describe("the first message of a WebSocket is empty, on the lowest channel that is written to", () => {
  const cases = [
    { protocol: "v5.channel.k8s.io", query: "&output=1", first: "\u0001" },
    { protocol: "v4.channel.k8s.io", query: "&output=1", first: "\u0001" },
    { protocol: "v4.channel.k8s.io", query: "&error=1", first: "\u0002" },
    { protocol: "v4.channel.k8s.io", query: "&input=1", first: "\u0003" },
    { protocol: "v4.base64.channel.k8s.io", query: "&output=1", first: "1" },
    { protocol: "channel.k8s.io", query: "&output=1", first: "\u0001" },
    { protocol: "", query: "&output=1", first: "\u0001" },
  ];
  for (const { protocol, query, first } of cases)
    it(`${protocol || "without a protocol"} ${query}`, async () =>
      expect(await firstMessage(protocol, query)).toBe(first));
});

const plain = { success: "", failure: "command terminated with non-zero exit code: exit status 3" };
const status = {
  success: '{"metadata":{},"status":"Success"}',
  failure: JSON.stringify({
    metadata: {},
    status: "Failure",
    message: plain.failure,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: "3" }] },
  }),
};

describe("the error stream of a command: a Status since version 4, before that the text of an error or nothing", () => {
  const cases = [
    { way: "SPDY", open: overSpdy, protocol: "v4.channel.k8s.io", expected: status },
    { way: "SPDY", open: overSpdy, protocol: "v3.channel.k8s.io", expected: plain },
    { way: "SPDY", open: overSpdy, protocol: "v2.channel.k8s.io", expected: plain },
    { way: "SPDY", open: overSpdy, protocol: "channel.k8s.io", expected: plain },
    { way: "WebSocket", open: overWebSocket, protocol: "v5.channel.k8s.io", expected: status },
    { way: "WebSocket", open: overWebSocket, protocol: "v4.channel.k8s.io", expected: status },
    { way: "WebSocket", open: overWebSocket, protocol: "v4.base64.channel.k8s.io", expected: status },
    { way: "WebSocket", open: overWebSocket, protocol: "channel.k8s.io", expected: plain },
    { way: "WebSocket", open: overWebSocket, protocol: "base64.channel.k8s.io", expected: plain },
    { way: "WebSocket", open: overWebSocket, protocol: "", expected: plain },
  ];
  for (const { way, open, protocol, expected } of cases)
    it(`${way}, ${protocol || "no protocol"}`, async () => {
      expect(await open(protocol, "exit 0")).toBe(expected.success);
      expect(await open(protocol, "exit 3")).toBe(expected.failure);
    });
});
