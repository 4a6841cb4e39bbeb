import { parseLabelSelector } from "@coxswain/apimachinery/selector";
import { internalError, notFound } from "@coxswain/apimachinery/status";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import {
  type Claimable,
  claimObjects,
  createConsistencyStore,
  createExpectations,
  decideClaim,
  hasFinalizer,
  withFinalizer,
  withoutFinalizer,
} from "./index.js";

describe("expectations", () => {
  it("hold an owner up until everything it did was seen", () => {
    const expectations = createExpectations({ clock: createVirtualClock() });
    expect(expectations.isSatisfied("a")).toBe(true);
    expectations.expectCreations("a", 2);
    expectations.creationObserved("a");
    expect(expectations.isSatisfied("a")).toBe(false);
    expectations.creationObserved("a");
    expect(expectations.isSatisfied("a")).toBe(true);
  });

  it("a deletion that is seen twice counts once, and a strange one not at all", () => {
    const expectations = createExpectations({ clock: createVirtualClock() });
    expectations.expectDeletions("a", ["u1", "u2"]);
    expectations.deletionObserved("a", "u1");
    expectations.deletionObserved("a", "u1");
    expectations.deletionObserved("a", "u9");
    expect(expectations.pending("a")).toEqual({ creations: 0, deletions: ["u2"] });
    expect(expectations.isSatisfied("a")).toBe(false);
    expectations.forget("a");
    expect(expectations.isSatisfied("a")).toBe(true);
  });

  it("are given up after five minutes", async () => {
    const clock = createVirtualClock();
    const expectations = createExpectations({ clock });
    expectations.expectCreations("a", 1);
    await clock.advance(300_000);
    expect(expectations.isSatisfied("a")).toBe(false);
    await clock.advance(1);
    expect(expectations.isSatisfied("a")).toBe(true);
  });
});

describe("a consistency store", () => {
  const pods = { group: "", resource: "pods" };
  const sets = { group: "apps", resource: "replicasets" };
  const owner = { key: "default/web", uid: "u1" };
  function setUp() {
    const podCache = { resourceVersion: "9" };
    const setCache = { resourceVersion: "100" };
    const store = createConsistencyStore([
      { resource: pods, cache: podCache },
      { resource: sets, cache: setCache },
    ]);
    return { podCache, setCache, store };
  }

  it("holds an owner up until the caches have seen its last write, compared as numbers", () => {
    const { podCache, store } = setUp();
    store.wroteAt(owner, pods, "11");
    store.wroteAt(owner, pods, "10");
    store.wroteAt(owner, sets, "99");
    expect(store.behind("default/web")?.message).toBe(
      "read version: 9 is not as new as written version: 11 for group resource pods",
    );
    podCache.resourceVersion = "11";
    expect(store.behind("default/web")).toBeUndefined();
  });

  it("forgets the writes for a namesake", () => {
    const { store } = setUp();
    store.wroteAt(owner, pods, "11");
    store.clear("default/web", "u2");
    expect(store.behind("default/web")).toBeDefined();
    store.wroteAt({ ...owner, uid: "u2" }, sets, "50");
    expect(store.behind("default/web")).toBeUndefined();
  });

  it("what cannot be compared or is not watched holds nobody up", () => {
    const { podCache, store } = setUp();
    store.wroteAt(owner, { group: "", resource: "secrets" }, "500");
    store.wroteAt(owner, pods, "abc");
    expect(store.behind("default/web")).toBeUndefined();
    podCache.resourceVersion = "";
    store.wroteAt(owner, pods, "500");
    expect(store.behind("default/web")).toBeUndefined();
  });
});

describe("finalizers", () => {
  const object = { metadata: { finalizers: ["a", "b"] } };
  it("are added once", () => {
    expect(withFinalizer(object, "c")).toEqual(["a", "b", "c"]);
    expect(withFinalizer(object, "a")).toEqual(["a", "b"]);
    expect(withFinalizer({}, "a")).toEqual(["a"]);
  });
  it("are removed and found", () => {
    expect(withoutFinalizer(object, "a")).toEqual(["b"]);
    expect([hasFinalizer(object, "b"), hasFinalizer({}, "b")]).toEqual([true, false]);
  });
});

describe("claiming objects", () => {
  const kind = { group: "apps", version: "v1", kind: "ReplicaSet" };
  const set = (over = {}): Claimable => ({ metadata: { name: "web", namespace: "default", uid: "owner", ...over } });
  const pod = (name: string, owner = "", over = {}): Claimable => ({
    metadata: {
      name,
      namespace: "default",
      uid: `uid-${name}`,
      labels: { app: "web" },
      ...(owner === ""
        ? {}
        : {
            ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "x", uid: owner, controller: true }],
          }),
      ...over,
    },
  });
  const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };

  const cases = [
    { name: "its own that matches is kept", controller: set(), object: pod("a", "owner"), claim: "keep" },
    { name: "another's is left alone", controller: set(), object: pod("a", "other"), claim: "ignore" },
    {
      name: "its own that no longer matches is released",
      controller: set(),
      object: pod("a", "owner"),
      claim: "release",
    },
    { name: "an orphan that matches is adopted", controller: set(), object: pod("a"), claim: "adopt" },
    { name: "an orphan that does not match is left alone", controller: set(), object: pod("a"), claim: "ignore" },
    { name: "an orphan on its way out is left alone", controller: set(), object: pod("a", "", gone), claim: "ignore" },
    { name: "who is being deleted keeps", controller: set(gone), object: pod("a", "owner"), claim: "keep" },
    { name: "who is being deleted adopts nothing", controller: set(gone), object: pod("a"), claim: "ignore" },
    {
      name: "an orphan of another namespace is left alone",
      controller: set({ namespace: "other" }),
      object: pod("a"),
      claim: "ignore",
    },
  ];
  for (const { name, controller, object, claim } of cases)
    it(name, () => {
      const matches = !/no longer|not match/.test(name);
      expect(decideClaim(controller, object, matches)).toBe(claim);
    });

  it("sends the patches, asks once whether it may adopt, and goes on after a failure", async () => {
    const patches: string[] = [];
    let asked = 0;
    const objects = [pod("a", "owner"), pod("b"), pod("c"), pod("d"), pod("e", "owner", { labels: {} })];
    const claiming = claimObjects(objects, {
      controller: set(),
      kind,
      selector: parseLabelSelector("app=web"),
      finalizers: ["track"],
      async canAdopt() {
        asked++;
      },
      async patch({ metadata }, patch) {
        patches.push(`${metadata?.name} ${JSON.stringify(patch)}`);
        if (metadata?.name === "c") throw notFound({ group: "", resource: "pods" }, "c");
        if (metadata?.name === "d") throw internalError("no");
      },
    });
    await expect(claiming).rejects.toThrow("no");
    expect(asked).toBe(1);
    expect(patches[0]).toBe(
      'b {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"owner","controller":true,"blockOwnerDeletion":true}],"uid":"uid-b","finalizers":["track"]}}',
    );
    expect(patches.at(-1)).toBe(
      'e {"metadata":{"uid":"uid-e","ownerReferences":[{"$patch":"delete","uid":"owner"}],"$deleteFromPrimitiveList/finalizers":["track"]}}',
    );
  });

  it("returns what it owns now", async () => {
    const owned = await claimObjects([pod("a", "owner"), pod("b"), pod("c", "other")], {
      controller: set(),
      kind,
      selector: parseLabelSelector("app=web"),
      filter: ({ metadata }) => metadata?.name !== "z",
      patch: async () => {},
    });
    expect(owned.map(({ metadata }) => metadata?.name)).toEqual(["a", "b"]);
  });
});
