import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCoxswain } from "@coxswain/tools/clients";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ApiEvent, type ApiObject, connectApi } from "../testing/api-client.js";
import { coxswain } from "../testing/run-coxswain.js";
import { startWriteLoad } from "../testing/write-load.js";

const configMaps = "/api/v1/namespaces/default/configmaps";

describe("a server under load", { timeout: 90_000 }, () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-load-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is backed up at one exact revision, and restored to just that", async () => {
    const server = await startCoxswain({ dataDir: join(folder, "one") });
    const api = connectApi(server.kubeconfig);
    const load = startWriteLoad(api);
    await load.reached(200);
    const output = await coxswain(`store backup ${folder}/backup --data-dir ${folder}/one`);
    await load.stop();
    const revision = Number(/at revision (\d+)/.exec(output)?.[1]);
    const then = JSON.parse(
      await coxswain(`store get /registry/ --revision ${revision} -o json --data-dir ${folder}/one`),
    ) as unknown[];
    const now = JSON.parse(await coxswain(`store status -o json --data-dir ${folder}/one`)) as { revision: number };
    expect(now.revision).toBeGreaterThan(revision); // Writers went on while it was taken.
    api.close();
    expect(await server.stop()).toBe(0);

    expect(await coxswain(`store restore ${folder}/backup --data-dir ${folder}/two`)).toContain(
      `at revision ${revision}`,
    );
    expect(JSON.parse(await coxswain(`store get /registry/ -o json --data-dir ${folder}/two`))).toEqual(then);
    expect(JSON.parse(await coxswain(`store status -o json --data-dir ${folder}/two`))).toMatchObject({
      revision,
      keys: then.length,
    });

    const restored = await startCoxswain({ dataDir: join(folder, "two") });
    const again = connectApi(restored.kubeconfig);
    const list = await again.send<{ metadata: { resourceVersion: string }; items: ApiObject[] }>("GET", configMaps);
    expect(list.items.length).toBe(
      (then as { key: string }[]).filter(({ key }) => key.startsWith("/registry/configmaps/default/")).length,
    );
    const made = await again.send("POST", configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "after" },
    });
    expect(Number(made.metadata.resourceVersion)).toBeGreaterThan(revision);
    again.close();
    await restored.stop();
  });

  it("killed with -9 and started again has every acknowledged object, and a watch resumes without a gap", async () => {
    const dataDir = join(folder, "data");
    let server = await startCoxswain({ dataDir });
    let api = connectApi(server.kubeconfig);
    const { port } = server;
    let seen = Number(
      (await api.send<{ metadata: { resourceVersion: string } }>("GET", configMaps)).metadata.resourceVersion,
    );
    const last = new Map<string, ApiEvent>();
    const onEvent = (event: ApiEvent): void => {
      expect(Number(event.object.metadata.resourceVersion)).toBeGreaterThan(seen);
      seen = Number(event.object.metadata.resourceVersion);
      last.set(event.object.metadata.name, event);
    };
    for (let round = 1; round <= 3; round += 1) {
      const stop = new AbortController();
      const watching = api.watch(`${configMaps}?watch=true&resourceVersion=${seen}`, onEvent, stop.signal);
      const load = startWriteLoad(api, { writers: 4 + round, name: `round-${round}` });
      await load.reached(60 * round);
      await server.stop("SIGKILL");
      await Promise.all([load.stop(), watching]);
      api.close();

      server = await startCoxswain({ dataDir, port });
      api = connectApi(server.kubeconfig);
      const objects = new Map(
        (await api.send<{ items: ApiObject[] }>("GET", configMaps)).items.map((object) => [
          object.metadata.name,
          object,
        ]),
      );
      const caughtUp = new AbortController();
      const marker = await api.send("POST", configMaps, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `marker-${round}` },
      });
      await api.watch(
        `${configMaps}?watch=true&resourceVersion=${seen}`,
        (event) => (onEvent(event), event.object.metadata.name === marker.metadata.name && caughtUp.abort()),
        caughtUp.signal,
      );
      for (const [name, write] of load.acknowledged) {
        const object = objects.get(name);
        const event = last.get(name);
        // A write that was not acknowledged may have happened too, so a newer version is as good.
        expect([name, object === undefined]).toEqual([name, write === undefined]);
        expect([name, event?.type === "DELETED"]).toEqual([name, write === undefined]);
        expect(Number(object?.metadata.resourceVersion ?? 0)).toBeGreaterThanOrEqual(write?.resourceVersion ?? 0);
        if (object)
          expect([name, event?.object.metadata.resourceVersion]).toEqual([name, object.metadata.resourceVersion]);
      }
    }
    api.close();
    expect(await server.stop()).toBe(0);
  });
});
