import type { Deployment } from "@coxswain/api/apps/v1";
import type { ConfigMap } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { isAlreadyExists, isBadRequest, isConflict, isInvalid, isNotFound } from "@coxswain/apimachinery/status";
import { type Client, eachEvent, type WatchEvent } from "@coxswain/client";
import { drainNode } from "@coxswain/client/drain";
import { waitForRollout } from "@coxswain/client/rollout";
import { DeadlineError, hasCondition, isDeleted, waitFor } from "@coxswain/client/wait";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

export interface OpenedClient {
  readonly client: Client;
  /** The warnings that the client received, in order. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const deployment = (name: string): Deployment => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
});

/** What every way to every server must do. */
export function describeClient(name: string, open: () => Promise<OpenedClient>, { skip = false } = {}): void {
  if (skip) console.warn(`SKIPPED: the client was not tested against ${name}: it is not built on this machine`);
  describe.skipIf(skip)(`client: ${name}`, () => {
    let opened: OpenedClient;
    let client: Client;
    const namespace = "client-suite";
    const maps = () => client.core.v1.configmaps(namespace);
    beforeAll(async () => {
      opened = await open();
      client = opened.client;
      await client.core.v1.namespaces().create({ metadata: { name: namespace } });
    });
    afterAll(() => opened.close());

    it("creates, gets, updates and deletes", async () => {
      const made = await maps().create({ metadata: { name: "crud" }, data: { a: "1" } });
      expect(made.metadata?.uid).toBeDefined();
      expect([made.kind, made.apiVersion]).toEqual(["ConfigMap", "v1"]);
      const read = await maps().get("crud");
      const updated = await maps().update({ ...read, data: { a: "2" } });
      expect(updated.metadata?.resourceVersion).not.toBe(made.metadata?.resourceVersion);
      await maps().delete("crud");
      expect(isNotFound(await failure(maps().get("crud")))).toBe(true);
    });

    it("refusals are StatusErrors that know their reason", async () => {
      await maps().create({ metadata: { name: "refused" } });
      expect(isAlreadyExists(await failure(maps().create({ metadata: { name: "refused" } })))).toBe(true);
      expect(isInvalid(await failure(maps().create({ metadata: { name: "Not_A_Name" } })))).toBe(true);
      const old = await maps().get("refused");
      await maps().update({ ...old, data: { a: "1" } });
      expect(isConflict(await failure(maps().update({ ...old, data: { a: "2" } })))).toBe(true);
      expect(isNotFound(await failure(client.core.v1.nodes().get("nobody")))).toBe(true);
    });

    it("patches in each of the three ways", async () => {
      await maps().create({ metadata: { name: "patched", labels: { keep: "yes", drop: "yes" } }, data: { a: "1" } });
      await maps().patch("patched", { merge: { metadata: { labels: { drop: null } }, data: { b: "2" } } });
      await maps().patch("patched", { json: [{ op: "replace", path: "/data/a", value: "3" }] });
      const { data, metadata } = await maps().patch("patched", { strategic: { data: { c: "4" } } });
      expect(data).toEqual({ a: "3", b: "2", c: "4" });
      expect(metadata?.labels).toEqual({ keep: "yes" });
    });

    it("applies, and conflicts over fields of another manager unless forced", async () => {
      const first = await maps().apply({ metadata: { name: "applied" }, data: { a: "1" } }, { fieldManager: "one" });
      expect(first.data).toEqual({ a: "1" });
      const other = { metadata: { name: "applied" }, data: { a: "2" } };
      expect(isConflict(await failure(maps().apply(other, { fieldManager: "two" })))).toBe(true);
      const forced = await maps().apply(other, { fieldManager: "two", force: true });
      expect(forced.data).toEqual({ a: "2" });
    });

    it("a dry run changes nothing", async () => {
      await maps().create({ metadata: { name: "dry" } }, { dryRun: true });
      expect(isNotFound(await failure(maps().get("dry")))).toBe(true);
    });

    it("strict field validation refuses unknown fields, and otherwise the server warns", async () => {
      const odd = (name: string): ConfigMap => ({ metadata: { name }, nonsense: 1 }) as ConfigMap;
      expect(isBadRequest(await failure(maps().create(odd("odd-1"), { fieldValidation: "Strict" })))).toBe(true);
      await maps().create(odd("odd-2"), { fieldValidation: "Warn" });
      expect(opened.warnings.join()).toContain('unknown field "nonsense"');
    });

    it("deletes only what its preconditions name", async () => {
      await maps().create({ metadata: { name: "guarded" } });
      const uid = "00000000-0000-0000-0000-000000000000";
      expect(isConflict(await failure(maps().delete("guarded", { preconditions: { uid } })))).toBe(true);
      await maps().delete("guarded");
    });

    it("lists pages, items and all namespaces, with kinds in every item", async () => {
      for (let i = 0; i < 7; i++)
        await client.core.v1.secrets(namespace).create({ metadata: { name: `s-${i}`, labels: { of: "pages" } } });
      const request = { labelSelector: "of=pages", limit: 3 };
      const sizes: number[] = [];
      for await (const page of client.core.v1.secrets(namespace).pages(request)) sizes.push(page.items.length);
      expect(sizes).toEqual([3, 3, 1]);
      const names: string[] = [];
      for await (const secret of client.core.v1.secrets().items(request)) {
        expect([secret.kind, secret.apiVersion]).toEqual(["Secret", "v1"]);
        names.push(secret.metadata?.name ?? "");
      }
      expect(names).toHaveLength(7);
      await client.core.v1.secrets(namespace).deleteCollection({ labelSelector: "of=pages" });
      expect((await client.core.v1.secrets(namespace).list({ labelSelector: "of=pages" })).items).toEqual([]);
    });

    it("watches from a list on, in order, until it is stopped", async () => {
      const { resourceVersion } = await maps().list({ labelSelector: "of=watch" });
      const stream = await maps().watch({ resourceVersion, labelSelector: "of=watch" });
      await maps().create({ metadata: { name: "watched", labels: { of: "watch" } } });
      await maps().patch("watched", { merge: { data: { a: "1" } } });
      await maps().delete("watched");
      const types: string[] = [];
      for await (const event of eachEvent(stream)) {
        types.push(event.type);
        if (types.length === 3) break;
      }
      expect(types).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    });

    it("a WatchList sends what is there, then the bookmark that ends it", async () => {
      await maps().create({ metadata: { name: "initial", labels: { of: "initial" } } });
      const stream = await maps().watch({
        labelSelector: "of=initial",
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: true,
      });
      const events: WatchEvent<ConfigMap>[] = [];
      for await (const event of eachEvent(stream)) {
        events.push(event);
        if (event.type === "BOOKMARK" && event.initialEventsEnd) break;
      }
      expect(events[0]).toMatchObject({ type: "ADDED", object: { metadata: { name: "initial" } } });
      expect(events.at(-1)).toMatchObject({ type: "BOOKMARK", initialEventsEnd: true });
    });

    it("an aborted watch ends, an aborted request rejects with the reason", async () => {
      const ending = new AbortController();
      const stream = await maps().watch({}, ending.signal);
      ending.abort(new Error("enough"));
      const left: unknown[] = [];
      for await (const batch of stream) append(left, batch);
      expect(await failure(maps().list({}, ending.signal))).toMatchObject({ message: "enough" });
    });

    it("a refused watch is a StatusError", async () => {
      const stream = maps().watch({ fieldSelector: "spec.nothing=1" });
      expect(await failure(stream)).toMatchObject({ status: { kind: "Status", code: 400 } });
    });

    it("writes status and scale by their subresources", async () => {
      const deployments = client.apps.v1.deployments(namespace);
      const made = await deployments.create(deployment("web"));
      const replicas = { replicas: 1, updatedReplicas: 1 };
      expect((await deployments.updateStatus({ ...made, status: replicas })).status).toMatchObject(replicas);
      const scale = client.scale({ group: "apps", version: "v1", resource: "deployments" }, namespace);
      expect((await scale.setReplicas("web", 3)).spec?.replicas).toBe(3);
      expect((await scale.get("web")).status?.replicas).toBe(1);
      await deployments.delete("web", { propagationPolicy: "Background" });
    });

    it("the dynamic client needs no types", async () => {
      const any = client.dynamic({ group: "", version: "v1", resource: "configmaps" }, namespace);
      await any.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dynamic" } });
      expect((await any.get("dynamic")).metadata?.name).toBe("dynamic");
    });

    it("finds the resource of an object by its kind", async () => {
      const object = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "by-kind", namespace },
        data: { a: "1" },
      };
      const resource = await client.resourceOf(object);
      expect((await resource.create(object)).data).toEqual({ a: "1" });
    });

    it("the metadata client receives no more than metadata", async () => {
      await maps().create({ metadata: { name: "meta" }, data: { a: "1" } });
      const metadata = client.metadata({ group: "", version: "v1", resource: "configmaps" }, namespace);
      expect(await metadata.get("meta")).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "meta" } });
      const { items } = await metadata.list({ fieldSelector: "metadata.name=meta" });
      expect(Object.keys(items[0] ?? {}).sort()).toEqual(["apiVersion", "kind", "metadata"]);
      const stream = await metadata.watch({
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: true,
      });
      for await (const event of eachEvent(stream)) {
        expect(event).toMatchObject({ type: "ADDED", object: { kind: "PartialObjectMetadata" } });
        break;
      }
    });

    it("discovers groups, resources and short names", async () => {
      const { groups, failed } = await client.server.surface();
      expect(failed).toEqual([]);
      expect(groups[0]).toMatchObject({ name: "", preferredVersion: "v1" });
      const apps = groups.find((group) => group.name === "apps")?.versions[0]?.resources ?? [];
      expect(apps.find(({ resource }) => resource === "deployments")).toMatchObject({
        kind: "Deployment",
        namespaced: true,
      });
      expect(apps.find(({ resource }) => resource === "deployments/scale")).toMatchObject({
        kind: "Scale",
        group: "autoscaling",
      });
      expect(await client.mapper.resourceFor({ resource: "po" })).toEqual({
        group: "",
        version: "v1",
        resource: "pods",
      });
      expect((await client.mapper.mapping({ group: "apps", kind: "Deployment" })).resource.resource).toBe(
        "deployments",
      );
      expect(await failure(client.mapper.kindFor({ resource: "nothings" }))).toBeInstanceOf(NoMatchError);
      expect((await client.server.version()).minor).toBe("36");
    });

    it("reads what is no JSON as it comes", async () => {
      const response = await client.rest.open({ method: "GET", path: "/readyz" });
      expect(new TextDecoder().decode(await response.bytes())).toBe("ok");
    });

    it("a long list arrives whole, compressed or not", async () => {
      const text = "x".repeat(20_000);
      for (let i = 0; i < 10; i++)
        await maps().create({ metadata: { name: `long-${i}`, labels: { of: "long" } }, data: { text } });
      const { items } = await maps().list({ labelSelector: "of=long" });
      expect(items.map((item) => item.data?.["text"])).toEqual(Array.from({ length: 10 }, () => text));
    });

    it("waits for a condition, for deletion, and gives up in time", async () => {
      const deployments = client.apps.v1.deployments(namespace);
      const made = await deployments.create(deployment("waited"));
      const waiting = waitFor(deployments, "waited", hasCondition("Available"));
      const conditions = [{ type: "Available", status: "True" }];
      await deployments.updateStatus({ ...made, status: { observedGeneration: 1, conditions } });
      expect((await waiting)?.status?.conditions?.[0]).toMatchObject({ type: "Available" });
      const impatient = waitFor(deployments, "waited", isDeleted, { timeoutMs: 30 });
      expect(await failure(impatient)).toBeInstanceOf(DeadlineError);
      const gone = waitFor(deployments, "waited", isDeleted);
      await deployments.delete("waited");
      expect(await gone).toBeUndefined();
    });

    it("follows a rollout to its end", async () => {
      const deployments = client.apps.v1.deployments(namespace);
      const made = await deployments.create(deployment("rolled"));
      const steps: string[] = [];
      const rollout = waitForRollout(client, {
        kind: "Deployment",
        namespace,
        name: "rolled",
        onProgress: (message) => steps.push(message),
      });
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
      await expect.poll(() => steps.length).toBe(1);
      await deployments.updateStatus({ ...made, status: { observedGeneration: 1, ...counts } });
      expect(await rollout).toEqual({ state: "complete", message: 'deployment "rolled" successfully rolled out' });
      expect(steps).toEqual(["Waiting for deployment spec update to be observed..."]);
    });

    it("drains a node: pods that nobody would create again are an obstacle unless forced", async () => {
      await client.core.v1.nodes().create({ metadata: { name: "drained" } });
      await client.core.v1.pods(namespace).create({
        metadata: { name: "bare" },
        spec: { nodeName: "drained", terminationGracePeriodSeconds: 0, containers: [{ name: "a", image: "a" }] },
      });
      const refused = await failure(drainNode(client, { node: "drained" }));
      expect(refused).toMatchObject({ name: "DrainObstacleError", obstacles: [{ namespace, name: "bare" }] });
      expect(await drainNode(client, { node: "drained", force: true })).toEqual({ evicted: 1 });
      expect((await client.core.v1.nodes().get("drained")).spec?.unschedulable).toBe(true);
      expect(isNotFound(await failure(client.core.v1.pods(namespace).get("bare")))).toBe(true);
    });
  });
}
