import { findResource } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { decodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";

const one = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const two = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const autoscaler = (name: string) => ({
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
  },
});

/** What clients see byte for byte is compared with kube-apiserver's answers in the cases autoscaler-versions and event-versions. */
describe("a second version of a kind", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  const user = { name: "admin", groups: ["system:masters"] };
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user });
    await admin.request({ method: "POST", path: one, body: autoscaler("a") });
  });
  afterAll(() => server.stop());

  it("is stored as the hub", async () => {
    expect(await admin.request({ method: "GET", path: `${two}/a` })).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { minReplicas: 1, metrics: [{ type: "Resource" }] },
    });
  });

  it("is listed without a byte of the hub's", async () => {
    expect(await admin.request({ method: "GET", path: one })).toMatchObject({
      apiVersion: "autoscaling/v1",
      items: [{ apiVersion: "autoscaling/v1", spec: { targetCPUUtilizationPercentage: 50 } }],
    });
    expect(await admin.request({ method: "GET", path: two })).toMatchObject({
      apiVersion: "autoscaling/v2",
      items: [{ apiVersion: "autoscaling/v2", spec: { metrics: [{}] } }],
    });
  });

  it("is watched beside the hub", async () => {
    const first = async (path: string): Promise<unknown> => {
      for await (const event of admin.watch({ method: "GET", path: `${path}?watch=true` })) return event.object;
      return undefined;
    };
    expect(await first(one)).toMatchObject({ apiVersion: "autoscaling/v1" });
    expect(await first(two)).toMatchObject({ apiVersion: "autoscaling/v2" });
  });

  it("is written in protobuf by its own type", async () => {
    const request = createByteRequester(server, user);
    const { body } = await request({
      method: "GET",
      path: `${one}/a`,
      headers: { accept: "application/vnd.kubernetes.protobuf" },
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const node = builtInTypes.get(findResource("autoscaling", "v1", "horizontalpodautoscalers")?.schema ?? "");
    expect(decodeProtobufObject(Buffer.concat(chunks), node)).toMatchObject({
      spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    });
  });
});
