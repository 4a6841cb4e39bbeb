import { describe, expect, it } from "vitest";
import { startTestNodes } from "../test-nodes.test.support.js";
import { rulesOfImage } from "./image-rules.js";
import { parseSimulation } from "./parse-simulation.js";

const parse = (text: string) => parseSimulation(text, { readFile: (path) => `content of ${path}` });

const pools = `
nodes:
  - name: general
    count: 3
    zones: [eu-1a, eu-1b]
    region: eu-1
  - name: gpu
    labels: { pool: gpu }
    taints: [{ key: nvidia.com/gpu, value: "true", effect: NoSchedule }]
    capacity: { cpu: 8, nvidia.com/gpu: 4 }
rules:
  - images: ["*:does-not-exist", "nginx:1.161"]
    fail: pull
  - images: ["shop/*"]
    logs-from: shop.log
    answer-status: 503
  - ready-after: 2s
`;

describe("a file of node pools and rules", () => {
  it("pools become nodes: zones in turn, labels, taints, capacity", () => {
    const { nodes = [] } = parse(pools);
    expect(nodes.map(({ name }) => name)).toEqual(["general-0", "general-1", "general-2", "gpu-0"]);
    expect(nodes.map(({ labels }) => labels?.["topology.kubernetes.io/zone"])).toEqual([
      "eu-1a",
      "eu-1b",
      "eu-1a",
      undefined,
    ]);
    expect(nodes[3]).toMatchObject({
      labels: { pool: "gpu" },
      taints: [{ key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" }],
      capacity: { cpu: "8", "nvidia.com/gpu": "4" },
    });
  });

  it("rules count for their images, or for all", () => {
    const { rules, imageRules } = parse(pools);
    expect(rules).toEqual({ "ready-after": "2s" });
    expect(rulesOfImage("a/b:does-not-exist", imageRules)).toEqual([{ fail: "pull" }]);
    expect(rulesOfImage("shop/web:1", imageRules)).toEqual([{ logs: "content of shop.log", "answer-status": "503" }]);
    expect(rulesOfImage("nginx:1.1610", imageRules)).toEqual([]);
    expect(rulesOfImage("registry.invalid/app", [])).toEqual([{ fail: "pull" }]);
  });

  const refused = [
    { text: "- a", error: "the file: must have members" },
    { text: "node: []", error: 'the file: there is no member "node"; there are nodes, rules' },
    { text: "nodes: [{ name: A }]", error: 'nodes[0].name: "A" is no name of a node' },
    { text: "nodes: [{ count: 20000 }]", error: "nodes[0].count: must be a number of nodes up to 10000" },
    { text: "nodes: [{ name: a }, { name: a }]", error: "nodes: two pools have the same name" },
    {
      text: "nodes: [{ taints: [{ key: a, effect: Never }] }]",
      error: "nodes[0].taints[0].effect: must be one of NoSchedule",
    },
    { text: "nodes: [{ capacity: { cpu: many } }]", error: "nodes[0].capacity.cpu: " },
    { text: "rules: [{ image: nginx }]", error: 'rules[0]: there is no member "image"' },
  ];
  for (const { text, error: message } of refused)
    it(`refuses ${text}`, () => expect(() => parse(text)).toThrow(message));
});

it("an image that cannot exist is not pulled, with the words of a registry; a rule gives others their logs", async () => {
  const { imageRules } = parse(pools);
  const cluster = await startTestNodes({ settings: { imageRules } });
  await cluster.createPod("missing", { containers: [{ name: "main", image: "nginx:1.161" }] });
  await cluster.createPod("shop", { containers: [{ name: "main", image: "shop/web" }] });
  await cluster.advance(5000);
  const state = (await cluster.pod("missing")).status?.containerStatuses?.[0]?.state;
  expect(["ErrImagePull", "ImagePullBackOff"]).toContain(state?.waiting?.reason);
  expect(state?.waiting?.message).toContain("nginx:1.161: not found");
  const path = "/api/v1/namespaces/default/pods/shop/log";
  const log = await (await cluster.client.rest.open({ method: "GET", path })).bytes();
  expect(new TextDecoder().decode(log)).toBe("content of shop.log\n");
  await cluster.stop();
});
