import { formatGroupVersion, type OwnerReference, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { createRestMapper, NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { testRuntime } from "@coxswain/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { type AbsentOwners, createAbsentOwners } from "./absent-owners.js";
import { examineNode, NotObservedError, orphanDependents } from "./collect.js";
import { DependencyGraph, foregroundFinalizer, type GraphObject } from "./dependency-graph.js";
import type { GraphNode } from "./graph-node.js";
import { createLiveObjects, type LiveObjects } from "./live-objects.js";
import { identityOfReference, type ObjectIdentity } from "./object-identity.js";

// The graph and its worker step by step on the objects of a server. What informers see, and when, is up to each test.

const bodies: Record<string, object> = {
  HorizontalPodAutoscaler: {
    spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
  },
};
const nobody = "00000000-0000-4000-8000-000000000000";

describe("owners that references do not agree about", () => {
  let cluster: TestCluster;
  let live: LiveObjects;
  let mapper: ReturnType<typeof createRestMapper>;
  beforeAll(async () => {
    cluster = await startTestCluster({ controllers: [] });
    mapper = createRestMapper((await cluster.client.server.surface()).groups);
    await cluster.client.core.v1.namespaces().create({ metadata: { name: "other" } });
  });
  afterAll(() => cluster.stop());

  let queue: GraphNode[];
  let log: string[];
  let graph: DependencyGraph;
  let absentOwners: AbsentOwners;
  let beforeDelete: (() => Promise<unknown>) | undefined;
  const nameOf = ({ apiVersion, kind, namespace, name }: ObjectIdentity): string =>
    `${apiVersion === "v1" || apiVersion.startsWith("autoscaling/v2") ? "" : `${apiVersion} `}${kind} ${namespace && `${namespace}/`}${name}`;

  beforeEach(() => {
    [queue, log, beforeDelete] = [[], [], undefined];
    absentOwners = createAbsentOwners();
    const examine = (node: GraphNode): void => void (queue.includes(node) || queue.push(node));
    graph = new DependencyGraph({
      examine,
      examineLater: examine,
      orphan: () => {},
      absent: (identity) => absentOwners.add(identity),
      crossesNamespaces: ({ identity }) => log.push(`${nameOf(identity)} crosses`),
    });
    const objects = createLiveObjects({
      client: cluster.client,
      mapper: () => mapper,
      runtime: testRuntime(1, { clock: cluster.clock }),
    });
    live = {
      ...objects,
      get(identity) {
        log.push(`get ${nameOf(identity)}`);
        return objects.get(identity);
      },
      async delete(identity, seen, policy) {
        await beforeDelete?.();
        log.push(`delete ${nameOf(identity)}`);
        await objects.delete(identity, seen, policy);
      },
    };
  });

  const clientOf = ({ apiVersion, kind, namespace }: Omit<ObjectIdentity, "name" | "uid">) => {
    const { group = "", version = "" } = parseGroupVersion(apiVersion) ?? {};
    const { resource, namespaced } = mapper.mapping({ group, kind }, version);
    return cluster.client.dynamic({ ...resource, kind }, namespaced ? namespace : undefined);
  };
  const referenceTo = ({ apiVersion, kind, name, uid }: ObjectIdentity, members = {}): OwnerReference => ({
    apiVersion,
    kind,
    name,
    uid,
    ...members,
  });
  /** On the server; "ConfigMap default/a", "ClusterRole a". Each name is used once. */
  async function create(text: string, ...owners: OwnerReference[]): Promise<GraphObject> {
    const [kind = "", place = ""] = text.split(" ");
    const [namespace, name] = place.includes("/") ? (place.split("/") as [string, string]) : ["", place];
    const group = { HorizontalPodAutoscaler: "autoscaling", ClusterRole: "rbac.authorization.k8s.io" }[kind] ?? "";
    const apiVersion = formatGroupVersion(mapper.mapping({ group, kind }).resource);
    const { metadata } = await clientOf({ apiVersion, kind, namespace }).create({
      ...bodies[kind],
      metadata: { name, ownerReferences: owners },
    } as never);
    const { uid } = metadata as { uid: string };
    return { identity: { apiVersion, kind, namespace, name, uid }, owners, finalizers: [], isBeingDeleted: false };
  }
  const remove = ({ identity }: GraphObject) => clientOf(identity).delete(identity.name);
  const remains = async ({ identity }: GraphObject): Promise<boolean> =>
    clientOf(identity)
      .get(identity.name)
      .then(
        () => true,
        () => false,
      );
  /** Examines the first of the queue; what upstream puts back is put back. Returns what was sent. */
  async function work(): Promise<string[]> {
    log = [];
    const node = queue.shift();
    if (!node) throw new Error("the queue is empty");
    try {
      await examineNode(node, { graph, live, absentOwners, examine: (other) => queue.push(other) });
    } catch (error) {
      if (
        !(error instanceof NotObservedError || error instanceof NoMatchError || (error as Error).name === "StatusError")
      )
        throw error;
      queue.push(node);
    }
    return log;
  }
  const queued = (): string[] =>
    queue.map(({ identity, isVirtual }) => `${isVirtual ? "virtual " : ""}${nameOf(identity)}`);

  it("a child of the cluster's owner that is seen later: the owner is looked up until it is seen", async () => {
    const owner = await create("ClusterRole c1");
    const child = await create("ConfigMap default/a1", referenceTo(owner.identity));
    graph.changed(child);
    expect(await work()).toEqual(["get rbac.authorization.k8s.io/v1 ClusterRole default/c1"]);
    expect(queued()).toEqual(["virtual rbac.authorization.k8s.io/v1 ClusterRole default/c1"]);
    graph.changed(owner);
    expect(graph.node(owner.identity.uid)?.identity.namespace).toBe("");
    expect(await work()).toEqual([]);
    expect(queued()).toEqual([]);
  });

  it("a child of an owner in another namespace, seen before it, goes", async () => {
    const owner = await create("ConfigMap other/o2");
    const child = await create("ConfigMap default/a2", referenceTo(owner.identity));
    graph.changed(child);
    graph.changed(owner);
    expect(log).toEqual(["ConfigMap default/a2 crosses"]);
    expect(queued()).toEqual(["virtual ConfigMap default/o2", "ConfigMap default/a2"]);
    expect(await work()).toEqual([]);
    expect(await work()).toEqual([
      "get ConfigMap default/a2",
      "get ConfigMap default/o2",
      "delete ConfigMap default/a2",
    ]);
    graph.deleted(child);
    expect([queued(), graph.size, await remains(owner)]).toEqual([[], 1, true]);
  });

  it("a child of an owner in another namespace, seen after it, goes; the next one without a lookup", async () => {
    const owner = await create("ConfigMap other/o3");
    graph.changed(owner);
    graph.changed(await create("ConfigMap default/a3", referenceTo(owner.identity)));
    expect(log).toEqual(["ConfigMap default/a3 crosses"]);
    expect(await work()).toContain("delete ConfigMap default/a3");
    graph.changed(await create("ConfigMap default/b3", referenceTo(owner.identity)));
    expect(await work()).toEqual(["get ConfigMap default/b3", "delete ConfigMap default/b3"]);
  });

  for (const first of ["child", "owner"])
    it(`an object of the cluster with an owner in a namespace stays, the ${first} being seen first`, async () => {
      const owner = await create(`ConfigMap default/o4-${first}`);
      const child = await create(`ClusterRole c4-${first}`, referenceTo(owner.identity));
      if (first === "child") {
        graph.changed(child);
        expect(await work()).toEqual([`get ConfigMap o4-${first}`]);
        expect(queued()).toEqual([]);
        log = [];
      }
      graph.changed(owner);
      if (first === "owner") graph.changed(child);
      const name = `rbac.authorization.k8s.io/v1 ClusterRole c4-${first}`;
      expect(log).toEqual([`${name} crosses`]);
      expect(queued()).toEqual([name]);
      expect(await work()).toEqual([`get ${name}`]);
      expect([queued(), await remains(child)]).toEqual([[], true]);
    });

  it("an owner by a version that is not the preferred one keeps its child, and takes it along", async () => {
    const owner = await create("HorizontalPodAutoscaler default/o5");
    const asV1 = { ...owner.identity, apiVersion: "autoscaling/v1" };
    const child = await create("ConfigMap default/a5", referenceTo(asV1));
    graph.changed(child);
    await work();
    expect(queued()).toEqual(["virtual autoscaling/v1 HorizontalPodAutoscaler default/o5"]);
    graph.changed(owner);
    expect(await work()).toEqual([]);
    const lookups = ["get ConfigMap default/a5", "get autoscaling/v1 HorizontalPodAutoscaler default/o5"];
    expect(await work()).toEqual(lookups);
    expect(queued()).toEqual([]);
    await remove(owner);
    graph.deleted(owner);
    expect(await work()).toEqual([...lookups, "delete ConfigMap default/a5"]);
  });

  for (const first of ["child", "owner"])
    it(`an owner by a version that is not served keeps its child for good, the ${first} being seen first`, async () => {
      const owner = await create(`ConfigMap default/o6-${first}`);
      const old = { ...owner.identity, apiVersion: "extensions/v1beta1" };
      const child = await create(`ConfigMap default/a6-${first}`, referenceTo(old));
      if (first === "child") {
        graph.changed(child);
        await work();
        expect(queued()).toEqual([`virtual extensions/v1beta1 ConfigMap default/o6-${first}`]);
        graph.changed(owner);
        await work();
      } else {
        graph.changed(owner);
        graph.changed(child);
      }
      expect(queued()).toEqual([`ConfigMap default/a6-${first}`]);
      await work();
      await remove(owner);
      graph.deleted(owner);
      expect(await work()).toEqual([`get ConfigMap default/a6-${first}`]);
      expect(queued()).toEqual([`ConfigMap default/a6-${first}`]);
    });

  it("a child whose owner's version is not served does not keep other children of an absent owner", async () => {
    const absent = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "o7", uid: nobody };
    const bad = await create("ConfigMap default/a7", referenceTo({ ...absent, apiVersion: "extensions/v1beta1" }));
    const good = await create("ConfigMap default/b7", referenceTo(absent));
    graph.changed(good);
    graph.changed(bad);
    await work();
    expect(queued()).toEqual([
      "ConfigMap default/a7",
      "ConfigMap default/b7",
      "virtual extensions/v1beta1 ConfigMap default/o7",
    ]);
    await work();
    expect(await work()).toEqual(["get ConfigMap default/b7", "delete ConfigMap default/b7"]);
    await work();
    expect(queued()).toEqual(["ConfigMap default/a7", "virtual extensions/v1beta1 ConfigMap default/o7"]);
    expect(await remains(bad)).toBe(true);
  });

  for (const order of ["bad, good, owner", "good, bad, owner", "owner, bad, good"])
    it(`a child that names another kind by the owner's uid goes, the right ones stay: ${order}`, async () => {
      const name = order.replaceAll(", ", "-");
      const owner = await create(`ConfigMap default/o8-${name}`);
      const wrong = { ...owner.identity, kind: "Secret" };
      const objects: Record<string, GraphObject> = {
        owner,
        bad: await create(`ConfigMap default/bad8-${name}`, referenceTo(wrong)),
        good: await create(`ConfigMap default/good8-${name}`, referenceTo(owner.identity)),
      };
      for (const each of order.split(", ").slice(0, 2)) graph.changed(objects[each] as GraphObject);
      for (let turn = 0; turn < 6 && queue.length > 0; turn++) await work();
      graph.changed(objects[order.split(", ")[2] ?? ""] as GraphObject);
      for (let turn = 0; turn < 6 && queue.length > 0; turn++) await work();
      graph.deleted(objects["bad"] as GraphObject);
      expect(await Promise.all(Object.values(objects).map(remains))).toEqual([true, false, true]);
      expect([queued(), graph.size]).toEqual([[], 2]);
    });

  it("a wrong reference found to lead nowhere after the owner was seen takes its child only", async () => {
    const owner = await create("ConfigMap default/o9");
    const wrong = referenceTo({ ...owner.identity, kind: "Secret" });
    graph.changed(await create("ConfigMap default/bad9", wrong));
    graph.changed(await create("ConfigMap default/good9", referenceTo(owner.identity)));
    queue = [];
    graph.changed(owner);
    graph.foundAbsent(identityOfReference(wrong, "default"));
    expect(queued()).toEqual(["ConfigMap default/bad9"]);
    expect(await work()).toEqual(["get ConfigMap default/bad9", "delete ConfigMap default/bad9"]);
  });

  it("a child of the cluster and one in a namespace, of an owner that is absent: the latter goes, in either order", async () => {
    for (const isClusterFirst of [true, false]) {
      const names = isClusterFirst ? ["c10", "a10", "o10"] : ["c11", "a11", "o11"];
      const uid = nobody.replace(/0$/, isClusterFirst ? "1" : "2");
      const absent = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: names[2] ?? "", uid };
      const bad = await create(`ClusterRole ${names[0]}`, referenceTo(absent));
      const good = await create(`ConfigMap default/${names[1]}`, referenceTo(absent));
      for (const each of isClusterFirst ? [bad, good] : [good, bad]) graph.changed(each);
      expect(queued()).toHaveLength(2);
      while (queue.length > 0) await work();
      expect([await remains(bad), await remains(good)]).toEqual([true, false]);
      graph.deleted(good);
      expect(queued()).toEqual([]);
    }
  });

  it("a child of the cluster that is wrong does not take along the right child of an owner that is seen late", async () => {
    const owner = await create("ConfigMap default/o12");
    const bad = await create("ClusterRole c12", referenceTo(owner.identity));
    const good = await create("ConfigMap default/a12", referenceTo(owner.identity));
    graph.changed(bad);
    graph.changed(good);
    expect(await work()).toEqual(["get ConfigMap o12"]);
    expect(await work()).toEqual(["get ConfigMap default/a12", "get ConfigMap default/o12"]);
    graph.changed(owner);
    expect(log).toContain("rbac.authorization.k8s.io/v1 ClusterRole c12 crosses");
    await work();
    expect([queued(), await remains(good), await remains(bad)]).toEqual([[], true, true]);
  });

  it("an object whose owners change before its deletion is looked at again", async () => {
    const child = await create("ConfigMap default/a13", referenceTo({ ...identityOfNobody, name: "o13" }));
    const solid = await create("ConfigMap default/o13-solid");
    graph.changed(solid);
    graph.changed(child);
    await work();
    beforeDelete = () =>
      clientOf(child.identity).patch("a13", {
        merge: { metadata: { ownerReferences: [referenceTo(solid.identity)] } },
      });
    await work();
    expect(queued()).toEqual(["ConfigMap default/a13"]);
    beforeDelete = undefined;
    expect(await work()).toEqual(["get ConfigMap default/a13", "get ConfigMap default/o13-solid"]);
    expect([queued(), await remains(child)]).toEqual([[], true]);
  });

  it("any other change before its deletion does not keep it", async () => {
    const child = await create("ConfigMap default/a14", referenceTo({ ...identityOfNobody, name: "o14" }));
    graph.changed(child);
    await work();
    beforeDelete = () => clientOf(child.identity).patch("a14", { merge: { metadata: { labels: { touched: "yes" } } } });
    await work();
    expect([queued(), await remains(child)]).toEqual([[], false]);
  });

  for (const policy of ["background", "foreground"])
    it(`an object that goes before its deletion in the ${policy} leaves the graph, and its waiting owner is examined`, async () => {
      const owner = await create(`ConfigMap default/o15-${policy}`);
      const child = await create(
        `ConfigMap default/a15-${policy}`,
        referenceTo(owner.identity, { blockOwnerDeletion: true }),
      );
      if (policy === "foreground") graph.changed(await create("ConfigMap default/g15", referenceTo(child.identity)));
      await clientOf(owner.identity).delete(owner.identity.name, { propagationPolicy: "Foreground" });
      graph.changed(child);
      queue = [];
      graph.changed({ ...owner, isBeingDeleted: true, finalizers: [foregroundFinalizer] });
      expect(queued()).toEqual([nameOf(child.identity), nameOf(owner.identity)]);
      beforeDelete = () => remove(child);
      await work();
      expect(graph.node(child.identity.uid)).toBeUndefined();
      expect(queued()).toContain(nameOf(owner.identity));
    });

  it("the references of a circle cease to block and stay", async () => {
    const [a, b] = [await create("ConfigMap default/o16"), await create("ConfigMap default/p16")];
    const owners = [referenceTo(a.identity, { blockOwnerDeletion: true }), referenceTo(b.identity)];
    const { identity } = await create("ConfigMap default/a16", ...owners);
    await live.unblockOwners(identity, owners);
    expect((await live.get(identity))?.metadata?.ownerReferences).toMatchObject([
      { name: "o16", blockOwnerDeletion: false },
      { name: "p16" },
    ]);
    await live.removeOwners(identity, [a.identity.uid, nobody]);
    expect((await live.get(identity))?.metadata?.ownerReferences).toMatchObject([{ name: "p16" }]);
  });

  it("an orphaning that fails for one dependent frees the others and is not over", async () => {
    const owner = await create("ConfigMap default/o17");
    await clientOf(owner.identity).patch("o17", { merge: { metadata: { finalizers: ["example.com/keep"] } } });
    await clientOf(owner.identity).delete("o17", { propagationPolicy: "Orphan" });
    const reference = referenceTo(owner.identity);
    graph.changed(owner);
    const made = [];
    for (let at = 0; at < 102; at++) made.push(await create(`ConfigMap default/a17-${at}`, reference));
    // The graph knows another object by this name: the server answers with a conflict.
    for (const [at, each] of made.entries())
      graph.changed(at === 1 ? { ...each, identity: { ...each.identity, uid: nobody } } : each);
    const node = graph.node(owner.identity.uid) as GraphNode;
    await expect(orphanDependents(node, { live })).rejects.toThrow("a17-1");
    const left = await Promise.all(
      made.map(async ({ identity }) => (await live.get(identity))?.metadata?.ownerReferences),
    );
    expect(left.filter((owners) => owners !== undefined)).toHaveLength(1);
    expect((await live.get(owner.identity))?.metadata?.finalizers).toContain("orphan");
  });
});

const identityOfNobody: ObjectIdentity = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "default",
  name: "",
  uid: nobody,
};
