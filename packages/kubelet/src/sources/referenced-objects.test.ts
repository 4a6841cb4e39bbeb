import { afterEach, describe, expect, it } from "vitest";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { createReferencedObjects } from "./referenced-objects.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe("objects that pods refer to", () => {
  it("are read once a minute, and what was not read since takes no memory", async () => {
    cluster = await startTestNodes();
    const { client, clock } = cluster;
    const configMaps = client.core.v1.configmaps("default");
    for (const name of ["a", "b", "c"]) await configMaps.create({ metadata: { name }, data: { at: "first" } });
    const objects = createReferencedObjects({ clock });
    const read = async (name: string): Promise<string | undefined> =>
      (await objects.get(client, "configmaps", "default", name))?.data?.["at"];

    expect([await read("a"), await read("b")]).toEqual(["first", "first"]);
    await configMaps.patch("a", { merge: { data: { at: "second" } } });
    expect([await read("a"), objects.size]).toEqual(["first", 2]);

    await cluster.advance(60_000);
    expect([await read("a"), objects.size]).toEqual(["second", 1]);
    await cluster.advance(30_000);
    expect([await read("c"), objects.size]).toEqual(["first", 2]);
    await cluster.advance(30_000);
    expect([await read("b"), objects.size]).toEqual(["first", 2]);
  });

  it("are not remembered where there are none", async () => {
    cluster = await startTestNodes();
    const objects = createReferencedObjects({ clock: cluster.clock });
    expect(await objects.get(cluster.client, "secrets", "default", "none")).toBeUndefined();
    expect(objects.size).toBe(0);
  });
});
