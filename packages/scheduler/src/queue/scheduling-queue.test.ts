import assert from "node:assert/strict";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { beforeEach, describe, it } from "vitest";
import { actions, clusterEvent, events } from "../framework/cluster-event.js";
import type { Plugin } from "../framework/plugin.js";
import { extensionPoints, type Profile } from "../framework/profile.js";
import { unresolvable } from "../framework/status.js";
import { createPrioritySort } from "../plugins/priority-sort/priority-sort.js";
import type { Pod } from "../pod/objects.js";
import { PodInfo } from "../pod/pod-info.js";
import { createQueueingHints } from "./queueing-hints.js";
import { createSchedulingQueue, type SchedulingQueue } from "./scheduling-queue.js";

const pod = (name: string, priority = 0): Pod => ({
  metadata: { name, namespace: "default", uid: name },
  spec: { containers: [], priority },
});
const assigned = (name: string): Pod => ({
  metadata: { name, namespace: "default", uid: name },
  spec: { containers: [], nodeName: "node" },
});

/** Awaits new nodes, and the deletion of pods whose name begins with "big". */
const fit: Plugin = {
  name: "Fit",
  events: [
    { event: clusterEvent("Node", actions.add) },
    {
      event: clusterEvent("Pod", actions.delete),
      hint: (_, old) => (old as Pod).metadata?.name?.startsWith("big") ?? false,
    },
  ],
};

describe("createSchedulingQueue", () => {
  let clock: VirtualClock;
  let queue: SchedulingQueue;
  let gate: boolean;
  let pods: Map<string, Pod>;

  function start(popFromBackoff = true): void {
    const gating: Plugin = {
      name: "Gate",
      events: [],
      preEnqueue: ({ metadata }) => (gate && metadata?.name === "gated" ? unresolvable("Gate", "wait") : undefined),
    };
    const none = Object.fromEntries(extensionPoints.map((point) => [point, []])) as unknown as Profile["plugins"];
    const profile: Profile = {
      schedulerName: "default-scheduler",
      plugins: { ...none, filter: [fit], preEnqueue: [gating] },
      weights: new Map(),
    };
    const sort = createPrioritySort();
    pods = new Map();
    queue = createSchedulingQueue({
      clock,
      hints: createQueueingHints([profile]),
      less: (a, b) => sort.less?.(a, b) ?? false,
      preEnqueue: () => [gating],
      currentPod: (key) => pods.get(key),
      initialBackoffMs: 1000,
      maxBackoffMs: 10_000,
      maxUnschedulableMs: 300_000,
      popFromBackoff,
    });
  }

  beforeEach(() => {
    clock = createVirtualClock();
    gate = false;
    start();
  });

  const popName = (): string | undefined => queue.pop()?.info.pod.metadata?.name;
  /** The next pod is tried, and refused by these plugins; none: an error. */
  function fail(...plugins: string[]): string | undefined {
    const queued = queue.pop();
    if (queued === undefined) return undefined;
    queued.unschedulablePlugins = new Set(plugins);
    queue.addUnschedulable(queued);
    return queued.info.pod.metadata?.name;
  }

  it("takes pods by priority, then in the order in which they came", () => {
    for (const one of [pod("a"), pod("b", 10), pod("c"), pod("d", 10)]) queue.add(one);
    assert.deepEqual([popName(), popName(), popName(), popName(), popName()], ["b", "d", "a", "c", undefined]);
  });

  it("keeps a refused pod until something happens that its plugin awaits", () => {
    queue.add(pod("a"));
    fail("Fit");
    queue.moveAll({ event: clusterEvent("Node", actions.updateNodeLabel), object: {} });
    assert.equal(popName(), undefined);
    queue.moveAll({ event: events.nodeAdd, object: {} });
    assert.equal(popName(), "a");
  });

  it("asks the hint whether a particular event is worth another try", () => {
    queue.add(pod("a"));
    fail("Fit");
    queue.moveAll({ event: events.assignedPodDelete, old: assigned("small") });
    assert.deepEqual(queue.sizes, { active: 0, backoff: 0, unschedulable: 1, gated: 0 });
    queue.moveAll({ event: events.assignedPodDelete, old: assigned("big") });
    assert.equal(popName(), "a");
  });

  it("replays what happened while a pod was being tried", () => {
    queue.add(pod("a"));
    const queued = queue.pop();
    assert.ok(queued);
    queue.moveAll({ event: events.nodeAdd, object: {} });
    queued.unschedulablePlugins = new Set(["Fit"]);
    queue.addUnschedulable(queued);
    assert.equal(queue.sizes.backoff, 1);
    assert.equal(popName(), "a");
  });

  it("forgets what happened before a pod was taken", () => {
    queue.add(pod("a"));
    queue.add(pod("b"));
    const first = queue.pop();
    queue.moveAll({ event: events.nodeAdd, object: {} });
    assert.equal(fail("Fit"), "b");
    assert.equal(queue.sizes.unschedulable, 1);
    queue.done(first?.info.uid ?? "");
  });

  it("tries a pod that backs off at once when nothing else is to do, unless it failed by an error", async () => {
    queue.add(pod("a"));
    fail();
    assert.equal(popName(), undefined);
    await clock.advance(2000);
    assert.equal(popName(), "a");
  });

  it("doubles the back-off up to its limit", async () => {
    start(false);
    queue.add(pod("a"));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      fail("Fit");
      queue.moveAll({ event: events.nodeAdd, object: {} });
      const before = clock.now();
      while (queue.sizes.active === 0) await clock.advance(1000);
      waits.push((clock.now() - before) / 1000);
    }
    assert.deepEqual(waits, [2, 3, 5, 9, 11, 11]);
  });

  it("tries an unschedulable pod again after five minutes, and has no timer once nothing waits", async () => {
    queue.add(pod("a"));
    fail("Fit");
    await clock.advance(299_000);
    assert.equal(queue.sizes.unschedulable, 1);
    await clock.advance(2000);
    const queued = queue.pop();
    assert.equal(queued?.wasFlushed, true);
    assert.equal(clock.nextTimer, undefined);
  });

  it("does not try a gated pod until its plugin lets it", () => {
    gate = true;
    queue.add(pod("gated"));
    assert.deepEqual(queue.sizes, { active: 0, backoff: 0, unschedulable: 0, gated: 1 });
    queue.moveAll({ event: events.nodeAdd, object: {} });
    assert.equal(popName(), undefined);
    gate = false;
    queue.activate(new Map([["default/gated", pod("gated")]]));
    assert.equal(popName(), "gated");
  });

  it("drops a deleted pod wherever it is", () => {
    queue.add(pod("a"));
    queue.add(pod("b"));
    fail("Fit");
    queue.delete(pod("a"));
    queue.delete(pod("b"));
    assert.deepEqual(queue.sizes, { active: 0, backoff: 0, unschedulable: 0, gated: 0 });
  });

  it("remembers for which node a waiting pod is nominated", () => {
    const waiting = pod("a");
    pods.set("default/a", waiting);
    queue.add(waiting);
    fail("Fit");
    queue.addNominated(new PodInfo(waiting), { nodeName: "node" });
    assert.deepEqual(
      queue.nominatedPods("node").map(({ uid }) => uid),
      ["a"],
    );
    queue.deleteNominated("a");
    assert.deepEqual(queue.nominatedPods("node"), []);
  });

  it("wakes a waiter for a pod", async () => {
    const woken = queue.whenReady();
    queue.add(pod("a"));
    await woken;
    assert.equal(popName(), "a");
  });
});
