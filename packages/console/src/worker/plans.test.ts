import { describe, expect, it } from "vitest";
import type { KubernetesValue, QueueItem } from "../contract/messages.js";
import { kindsOf } from "./catalogue.js";
import { differenceOf } from "./moment-difference.js";
import { summarize } from "./queue-feed.js";
import { rolloutOf } from "./rollouts.js";
import { eventEntry } from "./timeline-feed.js";
import { sumUsage } from "./usage.js";

describe("the difference of two moments", () => {
  const info = { group: "", version: "v1", resource: "pods", kind: "Pod" };
  const pod = (name: string, resourceVersion: string, generation?: number): KubernetesValue => ({
    metadata: { name, uid: name, resourceVersion, ...(generation !== undefined && { generation }) },
  });
  const words = (before: readonly KubernetesValue[], after: readonly KubernetesValue[]): string[] =>
    differenceOf(info, before, after).map(({ ref, what }) => `${ref.name} ${what}`);
  const cases: readonly { name: string; before: KubernetesValue[]; after: KubernetesValue[]; found: string[] }[] = [
    { name: "the same: nothing", before: [pod("a", "1")], after: [pod("a", "1")], found: [] },
    { name: "one more: new", before: [], after: [pod("a", "1")], found: ["a new"] },
    { name: "one less: gone", before: [pod("a", "1")], after: [], found: ["a gone"] },
    {
      name: "another generation: changed",
      before: [pod("a", "1", 1)],
      after: [pod("a", "2", 2)],
      found: ["a changed"],
    },
    {
      name: "the same generation: its status",
      before: [pod("a", "1", 1)],
      after: [pod("a", "2", 1)],
      found: ["a status"],
    },
    { name: "no generation: changed", before: [pod("a", "1")], after: [pod("a", "2")], found: ["a changed"] },
    {
      name: "the same name with another uid: gone and new",
      before: [{ metadata: { name: "a", uid: "1" } }],
      after: [{ metadata: { name: "a", uid: "2" } }],
      found: ["a new", "a gone"],
    },
  ];
  for (const { name, before, after, found } of cases) it(name, () => expect(words(before, after)).toEqual(found));
});

describe("queues", () => {
  const item = (queue: string, state: string, retries = 0): QueueItem => ({
    component: "c",
    queue,
    item: `${queue} ${state}`,
    state,
    ms: 5,
    retries,
    wokenBy: "",
    since: 0,
  });
  it("those with something to do come first, then those that fail; items that run come before those that wait", () => {
    const { queues, items } = summarize([
      item("idle", "Done"),
      item("failing", "Done", 2),
      item("busy", "Waiting"),
      item("busy", "Running"),
    ]);
    expect(queues.map(({ queue }) => queue)).toEqual(["busy", "failing", "idle"]);
    expect(items.map(({ state }) => state)).toEqual(["Running", "Waiting", "Done", "Done"]);
    expect(queues[0]).toMatchObject({ waiting: 1, running: 1, done: 0, failing: 0 });
  });
});

describe("rollouts", () => {
  const set = (replicas: number, readyReplicas: number): KubernetesValue => ({
    metadata: {
      name: "web-1",
      namespace: "default",
      annotations: { "deployment.kubernetes.io/revision": "3" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u", controller: true }],
    },
    spec: { replicas, template: { spec: { containers: [{ image: "nginx:2" }] } } },
    status: { readyReplicas },
  });
  const cases = [
    { name: "under way", given: set(3, 1), what: "Rollout 3 of nginx:2: 1 of 3 ready", tone: "warn" },
    { name: "done", given: set(3, 3), what: "Rollout 3 of nginx:2: 3 of 3 ready", tone: "ok" },
    { name: "replaced", given: set(0, 0), what: "Rollout 3 of nginx:2, replaced since", tone: "none" },
  ];
  for (const { name, given, what, tone } of cases)
    it(name, () => expect(rolloutOf(given)).toMatchObject({ what, tone }));
  it("a ReplicaSet that no Deployment made is none", () =>
    expect(rolloutOf({ metadata: { name: "own" } })).toBeUndefined());
});

describe("what a server serves", () => {
  const entry = (resource: string) => ({
    resource,
    kind: resource,
    singular: resource,
    namespaced: true,
    verbs: ["list"],
  });
  it("a kind that the preferred version does not have is found in another, and each is there once", () => {
    const versions = [
      { version: "v1", resources: [entry("gateways")] },
      { version: "v1alpha2", resources: [entry("gateways"), entry("tcproutes")] },
    ];
    const found = kindsOf({ name: "example.org", versions });
    expect(found.map(({ version, resource }) => `${resource} ${version}`)).toEqual([
      "gateways v1",
      "tcproutes v1alpha2",
    ]);
  });
});

describe("what is used", () => {
  const used = (cpu: string, memory: string) => ({ usage: { cpu, memory } });
  it("of a node is what it has", () => expect(sumUsage(used("250m", "1Ki"))).toEqual({ cpu: 0.25, memory: 1024 }));
  it("of a pod is the sum of its containers", () =>
    expect(sumUsage({ containers: [used("250m", "1Ki"), used("1", "1Ki")] })).toEqual({ cpu: 1.25, memory: 2048 }));
});

describe("an event in the timeline", () => {
  const pods = {
    group: "",
    version: "v1",
    resource: "pods",
    kind: "Pod",
    namespaced: true,
    verbs: [],
    shortNames: [],
    subresources: [],
    isCustom: false,
  };
  const about = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web" };
  const event = { at: 1, type: "Warning", reason: "Failed", message: "why", count: 1, about, source: "kubelet" };
  const entryWith = (found: typeof pods | undefined) => eventEntry(event, { ofKind: () => found });
  it("leads to its object", () =>
    expect(entryWith(pods)).toMatchObject({ name: "shop/web", ref: { resource: "pods", name: "web" } }));
  it("of a kind that is not served leads nowhere", () => expect(entryWith(undefined).ref).toBeUndefined());
});
