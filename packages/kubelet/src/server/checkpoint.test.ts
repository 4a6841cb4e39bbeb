import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NodeAgent } from "../node/node-agent.js";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { createKubeletServer, type KubeletServer } from "./kubelet-server.js";
import type { KubeletSource } from "./kubelet-source.js";

let cluster: TestNodes;
let server: KubeletServer;
let agent: NodeAgent;
beforeAll(async () => {
  cluster = await startTestNodes();
  await cluster.createPod("web");
  await cluster.createPod("waiting", {}, { annotations: { "simulation.coxswain.dev/start-delay": "1h" } });
  await cluster.settle();
  agent = cluster.nodes.agent("node-0") as NodeAgent;
  const source: KubeletSource = {
    nodeAt: () => agent,
    onlyNode: () => agent,
    findPod(_, name) {
      const worker = [...agent.workers.values()].find((each) => each.pod().metadata?.name === name);
      return worker && { agent, worker };
    },
  };
  server = createKubeletServer(source, {
    runtime: cluster.runtime,
    pages: { config: () => ({}), processMetrics: () => "", debugging: true },
    access: { check: () => Promise.resolve() },
  });
});
afterAll(async () => {
  await server.stop();
  await cluster.stop();
});

async function ask(path: string, method = "POST"): Promise<{ code: number | undefined; body: string }> {
  const asked = request({
    method,
    path: `/checkpoint/default/${path}`,
    createConnection: () => server.connect(agent, undefined),
  }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { code: answer.statusCode, body: await text(answer) };
}

describe("a checkpoint of a container", () => {
  const refusals = [
    { name: "by GET", path: "web/main", method: "GET", code: 405, body: "405: Method Not Allowed" },
    { name: "of no pod", path: "none/main", code: 404, body: "pod does not exist" },
    { name: "of no container", path: "web/none", code: 404, body: "container none does not exist" },
    {
      name: "with a timeout that is no number",
      path: "web/main?timeout=1&timeout=1m",
      code: 404,
      body: "cannot parse value of timeout parameter",
    },
    {
      name: "with a negative timeout",
      path: "web/main?timeout=-1",
      code: 500,
      body: "checkpointing of default/web/main failed (CheckpointContainer requires the timeout value to be > 0)",
    },
    {
      name: "of a container that does not run",
      path: "waiting/main",
      code: 500,
      body: "checkpointing of default/waiting/main failed (container main not found)",
    },
    {
      name: "that the runtime cannot make",
      path: "web/main",
      code: 500,
      body: "checkpointing of default/web/main failed (simulated containers have no state that a checkpoint could hold)",
    },
  ];
  for (const { name, path, method, code, body } of refusals)
    it(`${name} is refused in upstream's words`, async () => expect(await ask(path, method)).toEqual({ code, body }));
});
