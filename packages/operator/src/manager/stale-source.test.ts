// Two processes with the same operator: one of them reads a source that the other has long seen in a newer version.
import type { ConfigMap } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isStatusError } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { type ProgramWorld, startCluster, type TestCluster } from "@coxswain/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  apply,
  builtIn,
  type ClusterAccess,
  createManager,
  createOrPatch,
  deleteDerived,
  isStaleSource,
  type Manager,
  patchStatus,
} from "../index.js";

const { configmaps, secrets, services } = builtIn.core.v1;
const { deployments } = builtIn.apps.v1;
type Read = DeepReadonly<ConfigMap>;

let cluster: TestCluster;
beforeEach(async () => void (cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] })));
afterEach(() => cluster.stop());

const maps = () => cluster.client.core.v1.configmaps("default");
const derived = { namespace: "default", name: "derived" };
const valueThere = async (): Promise<string | undefined> =>
  (
    await maps()
      .get("derived")
      .catch(() => undefined)
  )?.data?.["v"];

/** A manager, whose watches can fall silent. */
async function replica(name: string): Promise<{ access: ClusterAccess; silence(): void; resume(): Promise<void> }> {
  const storm = cluster.storm();
  let manager: Manager | undefined;
  const setUp = (client: Client, world: ProgramWorld): Manager => {
    manager = createManager({ client, ...world });
    void manager.start();
    return manager;
  };
  await cluster.run(name, setUp, { through: storm.through });
  await cluster.settle();
  const access = (manager as unknown as Manager).access("op");
  await access.get(configmaps, derived);
  return {
    access,
    silence: () => void storm.strike("silent"),
    resume: () => cluster.clock.advance("12m"), // a silent watch is given up then
  };
}

const source = { namespace: "default", name: "source" };
const setSource = (v: string) => maps().patch("source", { merge: { data: { v } } });
const read = async (access: ClusterAccess): Promise<Read> => (await access.get(configmaps, source)) as Read;

const ways: { name: string; write(access: ClusterAccess, from: Read): Promise<unknown> }[] = [
  {
    name: "apply with an owner",
    write: (access, object) =>
      apply(
        access,
        configmaps,
        { metadata: derived, data: { v: object.data?.["v"] ?? "" } },
        { owner: { resource: configmaps, object } },
      ),
  },
  {
    name: "apply from another object",
    write: (access, object) =>
      apply(
        access,
        configmaps,
        { metadata: derived, data: { v: object.data?.["v"] ?? "" } },
        { from: [{ resource: configmaps, object }] },
      ),
  },
  {
    name: "createOrPatch",
    write: (access, object) =>
      createOrPatch(access, configmaps, derived, (map) => void (map.data = { v: object.data?.["v"] ?? "" }), {
        from: [{ resource: configmaps, object }],
      }),
  },
];

for (const { name, write } of ways)
  describe(name, () => {
    beforeEach(() => maps().create({ metadata: source, data: { v: "old" } }));

    it("from an older source does not replace what was made from a newer one, until the cache has caught up", async () => {
      const [first, second] = [await replica("first"), await replica("second")];
      await write(first.access, await read(first.access));
      await cluster.clock.advance("1s");
      second.silence();
      await setSource("new");
      await cluster.clock.advance("1s");
      await write(first.access, await read(first.access));
      expect(await valueThere()).toBe("new");
      const late = await read(second.access);
      expect(late.data).toEqual({ v: "old" }); // stale, as planted
      await write(second.access, late).catch(() => undefined); // createOrPatch finds nothing to do
      expect(await valueThere()).toBe("new");
      const third = await replica("third"); // only the source is late there
      const outcome = await write(third.access, late).catch((error: unknown) => error);
      expect(isStaleSource(outcome)).toBe(true);
      expect(await valueThere()).toBe("new");
      await second.resume();
      await setSource("newest");
      await cluster.clock.advance("1s");
      await write(second.access, await read(second.access));
      expect(await valueThere()).toBe("newest");
    });

    it("from an older source does not create what is gone by the newer one", async () => {
      const [first, second] = [await replica("first"), await replica("second")];
      await write(first.access, await read(first.access));
      await cluster.clock.advance("1s");
      second.silence();
      await setSource("new");
      await cluster.clock.advance("1s");
      const object = await read(first.access);
      expect(await deleteDerived(first.access, configmaps, derived, { from: [{ resource: configmaps, object }] })).toBe(
        true,
      );
      const late = await read(second.access);
      const third = await replica("third"); // its cache has the deletion
      const outcome = await write(third.access, late).catch((error: unknown) => error);
      expect(isStaleSource(outcome)).toBe(true);
      expect(await valueThere()).toBeUndefined();
    });

    for (const isThere of [true, false])
      it(`that is still on its way when a newer one arrives does not replace it (${isThere ? "a change" : "a creation"})`, async () => {
        const [first, second] = [await replica("first"), await replica("second")];
        if (isThere) await write(first.access, await read(first.access));
        await setSource("mid");
        await cluster.clock.advance("1s");
        // As of a leader that is paused, or cut off, right after it has sent it.
        const delay = cluster.faults.add({ fault: "delay", by: "40s", verb: "write", user: /first/, times: 1 });
        const late = read(first.access).then((object) => write(first.access, object));
        const outcome = late.catch((error: unknown) => error);
        await cluster.clock.advance("1s");
        await setSource("new");
        await cluster.clock.advance("1s");
        await write(second.access, await read(second.access));
        expect(await valueThere()).toBe("new");
        await cluster.clock.advance("1m");
        expect(isStatusError(await outcome)).toBe(true);
        expect(await valueThere()).toBe("new");
        delay();
      });

    it("from a source that was deleted and created again goes by which one is there", async () => {
      const { access } = await replica("first");
      const before = await read(access);
      await write(access, before);
      await maps().delete("source");
      await maps().create({ metadata: source, data: { v: "second life" } });
      await cluster.clock.advance("1s");
      await write(access, await read(access));
      expect(await valueThere()).toBe("second life");
      const outcome = await write(access, before).catch((error: unknown) => error);
      expect(isStaleSource(outcome)).toBe(true);
      expect(await valueThere()).toBe("second life");
    });

    it("that changes nothing is not sent, and what somebody changed is corrected", async () => {
      const { access } = await replica("first");
      await write(access, await read(access));
      const there = (await maps().get("derived")).metadata?.resourceVersion;
      const sent = cluster.faults.add({ fault: "internalError", verb: "write", user: /first/ });
      await write(access, await read(access));
      await cluster.clock.advance("1s");
      await write(access, await read(access));
      sent();
      expect((await maps().get("derived")).metadata?.resourceVersion).toBe(there);
      await maps().patch("derived", { merge: { data: { v: "somebody's" } } });
      await cluster.clock.advance("1s");
      await write(access, await read(access));
      expect(await valueThere()).toBe("old");
    });

    it("after a restore of a backup, which has older versions, goes by what the server has", async () => {
      const { access } = await replica("first");
      await write(access, await read(access));
      const { metadata } = await maps().get("derived");
      const [[key, value] = ["", ""]] = Object.entries(metadata?.annotations ?? {});
      const fromTheFuture = value.replace(/\/\d+( |$)/, "/999999$1");
      await maps().patch("derived", {
        merge: { metadata: { annotations: { [key]: fromTheFuture } }, data: { v: "?" } },
      });
      await cluster.clock.advance("1s");
      await write(access, await read(access));
      expect(await valueThere()).toBe("old");
    });
  });

describe("an apply", () => {
  it("of an object that is not cached reads it from the server, and makes no cache", async () => {
    const object = await maps().create({ metadata: source, data: {} });
    const { access } = await replica("first");
    const write = (v: string) =>
      apply(access, secrets, { metadata: derived, data: { v } }, { owner: { resource: configmaps, object } });
    await write("MQ==");
    expect((await write("Mg==")).data).toEqual({ v: "Mg==" });
    expect(access.isCached(secrets)).toBe(false);
  });

  it("with a late cache of the object itself reads it again", async () => {
    const object = await maps().create({ metadata: source, data: {} });
    const { access, silence } = await replica("first");
    silence();
    const write = () =>
      apply(access, configmaps, { metadata: derived, data: { v: "1" } }, { owner: { resource: configmaps, object } });
    await maps().create({ metadata: derived, data: { other: "2" } });
    await cluster.clock.advance("1s");
    expect((await write()).data).toEqual({ other: "2", v: "1" });
  });

  it("from a newer status of its owner is no write", async () => {
    const own = cluster.client.apps.v1.deployments("default");
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const made = await own.create({
      metadata: { name: "owner" },
      spec: { selector: { matchLabels: labels }, template },
    });
    const write = (access: ClusterAccess, object: object) =>
      apply(access, configmaps, { metadata: derived, data: { v: "1" } }, { owner: { resource: deployments, object } });
    const version = async () => (await maps().get("derived")).metadata?.resourceVersion;
    await write((await replica("first")).access, made);
    const before = await version();
    const owner = await own.subresource("status").patch("owner", { merge: { status: { replicas: 1 } } as never });
    await write((await replica("restarted")).access, owner as object); // it remembers nothing
    expect(await version()).toBe(before);
    const grown = await own.patch("owner", { merge: { spec: { replicas: 2 } } });
    await write((await replica("again")).access, grown);
    expect(await version()).not.toBe(before);
  });
});

describe("deleteDerived", () => {
  it("leaves alone what somebody else made, and what is made from a newer source", async () => {
    const object = await maps().create({ metadata: source, data: { v: "1" } });
    await maps().create({ metadata: derived, data: { v: "somebody's" } });
    const { access } = await replica("first");
    const owner = { resource: configmaps, object };
    expect(await deleteDerived(access, configmaps, derived, { owner })).toBe(false);
    expect(await deleteDerived(access, configmaps, { ...derived, name: "none" }, { owner })).toBe(false);
    await apply(access, configmaps, { metadata: derived, data: { v: "1" } }, { owner });
    await setSource("2");
    const late = await deleteDerived(access, configmaps, derived, { owner }).catch((error: unknown) => error);
    expect(isStaleSource(late)).toBe(true);
    expect(await valueThere()).toBe("1");
  });
});

describe("a status", () => {
  it("whose observedGeneration would go back is not sent", async () => {
    const own = cluster.client.core.v1.services("default");
    const made = await own.create({ metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } });
    const at = (observedGeneration: number) => ({
      conditions: [
        {
          type: "Ready",
          status: "True" as const,
          reason: "Done",
          message: "",
          lastTransitionTime: "2026-01-01T00:00:00Z",
          observedGeneration,
        },
      ],
    });
    const { access } = await replica("first");
    const written = await patchStatus(access, services, made, at(2));
    const back = await patchStatus(access, services, written, at(1)).catch((error: unknown) => error);
    expect(isStaleSource(back)).toBe(true);
    expect(String(back)).toContain("the condition Ready of the Service is of generation 2, the new one of 1");
    await patchStatus(access, services, written, at(3));
  });
});
