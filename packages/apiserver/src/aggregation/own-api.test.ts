import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  create,
  createService,
  endpoints,
  fishService,
  startTestAggregator,
  type TestAggregator,
  untilReason,
} from "./test-aggregator.test.support.js";
import { fishGroup, fishPath, sendJson } from "./test-backend.test.support.js";

const fish = `${fishPath}/namespaces/default/fish`;

describe("an API that a part of this process serves", () => {
  let world: TestAggregator;
  let withdraw: () => void;
  beforeAll(async () => {
    world = await startTestAggregator();
    world.backend.on(fish, (_, response) => sendJson(response, { kind: "FishList" }));
    withdraw = world.server.serveOwnApi({
      group: fishGroup,
      version: "v1",
      groupPriority: 100,
      versionPriority: 100,
      hostname: "127.0.0.1",
      port: world.backend.port,
      authority: Buffer.from(world.backend.caBundle, "base64").toString(),
      serverName: "fish.aquarium.svc",
    });
  });
  afterAll(() => world.stop());
  const code = async (path: string): Promise<number> => (await world.ask(path)).code;

  it("is served without an APIService", async () => {
    expect(await code(fish)).toBe(200);
    expect(await code(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${fishGroup}`)).toBe(404);
    expect((await world.ask("/apis")).text).toContain(`"${fishGroup}"`);
  });

  it("goes on while the server that an APIService names does not answer, and the condition has the reason", async () => {
    await create(
      world.api,
      "/apis/apiregistration.k8s.io/v1/apiservices",
      fishService({ caBundle: world.backend.caBundle }),
    );
    await untilReason(world.api, "Local");
    expect(await code(fish)).toBe(200);
  });

  it("is handed over once that server answers", async () => {
    await create(world.api, "/api/v1/namespaces", {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { name: "aquarium" },
    });
    await createService(world.api);
    await create(world.api, "/apis/discovery.k8s.io/v1/namespaces/aquarium/endpointslices", endpoints);
    await untilReason(world.api, "Passed");
    withdraw();
    expect(await code(fish)).toBe(200);
  });
});
