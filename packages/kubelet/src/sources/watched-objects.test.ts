import type { PodSpec } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { pod as makePod } from "../pod/pod.test.support.js";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { podReferences } from "./pod-references.js";
import { createWatchedObjects, type WatchedObjects } from "./watched-objects.js";

let cluster: TestNodes | undefined;
let objects: WatchedObjects | undefined;
afterEach(async () => {
  await objects?.stop();
  await cluster?.stop();
  cluster = objects = undefined;
});

const podWith = (uid: string, spec: Partial<PodSpec>) => makePod(spec, { uid });
const configMapPod = (uid: string, name: string) => podWith(uid, { volumes: [{ name: "v", configMap: { name } }] });

async function start(): Promise<{ cluster: TestNodes; objects: WatchedObjects; changed: string[] }> {
  cluster = await startTestNodes();
  const changed: string[] = [];
  objects = createWatchedObjects({
    client: cluster.client,
    runtime: cluster.runtime,
    onChange: (podUid) => void changed.push(podUid),
  });
  return { cluster, objects, changed };
}

describe("objects that pods of a real node refer to", () => {
  it("reach their pods when they change, appear and disappear", async () => {
    const { cluster, objects, changed } = await start();
    const configMaps = cluster.client.core.v1.configmaps("default");
    await configMaps.create({ metadata: { name: "a" }, data: { key: "1" } });
    const read = async (): Promise<string | undefined> =>
      (await objects.get(cluster.client, "configmaps", "default", "a"))?.data?.["key"];
    objects.register(configMapPod("u1", "a"));
    objects.register(configMapPod("u2", "a"));
    objects.register(configMapPod("u3", "other"));
    expect([await read(), changed]).toEqual(["1", []]);

    await configMaps.patch("a", { merge: { data: { key: "2" } } });
    await cluster.settle();
    expect([await read(), changed.splice(0)]).toEqual(["2", ["u1", "u2"]]);

    await configMaps.delete("a");
    await cluster.settle();
    expect([await read(), changed.splice(0)]).toEqual([undefined, ["u1", "u2"]]);

    await configMaps.create({ metadata: { name: "other" } });
    await cluster.settle();
    expect(changed).toEqual(["u3"]);
  });

  it("are watched once for all pods, and as long as one of them is there", async () => {
    const { objects } = await start();
    objects.register(configMapPod("u1", "a"));
    objects.register(configMapPod("u2", "a"));
    expect(objects.size).toBe(1);
    objects.forget("u1");
    expect(objects.size).toBe(1);
    objects.forget("u2");
    objects.forget("u2");
    expect(objects.size).toBe(0);
  });

  it("follow a pod whose spec changed", async () => {
    const { objects, changed, cluster } = await start();
    objects.register(configMapPod("u1", "a"));
    await objects.get(cluster.client, "configmaps", "default", "a");
    objects.register(configMapPod("u1", "b"));
    await objects.get(cluster.client, "configmaps", "default", "b");
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "a" } });
    await cluster.settle();
    expect([changed, objects.size]).toEqual([[], 1]);
  });

  it("of other kinds are read anew", async () => {
    const { objects, cluster } = await start();
    expect(await objects.get(cluster.client, "secrets", "default", "none")).toBeUndefined();
  });
});

describe("references of a pod", () => {
  it("are in variables, volumes and pull secrets", () => {
    const found = podReferences(
      makePod({
        imagePullSecrets: [{ name: "pull" }, {}],
        containers: [
          {
            name: "a",
            env: [
              { name: "A", valueFrom: { configMapKeyRef: { name: "env-map", key: "k" } } },
              { name: "B", valueFrom: { secretKeyRef: { name: "env-secret", key: "k" } } },
            ],
            envFrom: [{ configMapRef: { name: "from-map" } }, { secretRef: { name: "from-secret" } }],
          },
        ],
        volumes: [
          { name: "c", configMap: { name: "volume-map" } },
          { name: "s", secret: { secretName: "volume-secret" } },
          {
            name: "p",
            projected: { sources: [{ configMap: { name: "part-map" } }, { secret: { name: "part-secret" } }] },
          },
        ],
      }),
    );
    expect([...found.configmaps]).toEqual(["env-map", "from-map", "volume-map", "part-map"]);
    expect([...found.secrets]).toEqual(["pull", "env-secret", "from-secret", "volume-secret", "part-secret"]);
  });
});
