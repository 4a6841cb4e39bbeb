import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { forbidden } from "@coxswain/apimachinery/status";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createDiskDiscoveryCache } from "../node/index.js";
import type { RestClient } from "../rest/index.js";
import { createDiscoveryClient, createDynamicMapper } from "./index.js";

/** Answers from a table of paths; what is missing there is forbidden. */
function restOf(answers: () => Record<string, unknown>): RestClient & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async send({ path }) {
      asked.push(path);
      const answer = answers()[path];
      if (answer === undefined) throw forbidden({ group: "", resource: "" }, "", "no");
      return structuredClone(answer);
    },
    open: () => Promise.reject(new Error("not used")),
    watch: () => Promise.reject(new Error("not used")),
  };
}

const pods = { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: ["get"], shortNames: ["po"] };
const legacy = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": {
    kind: "APIGroupList",
    groups: [
      {
        name: "apps",
        versions: [{ groupVersion: "apps/v1", version: "v1" }],
        preferredVersion: { groupVersion: "apps/v1", version: "v1" },
      },
      { name: "down", versions: [{ groupVersion: "down/v1", version: "v1" }] },
    ],
  },
  "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [pods, { ...pods, name: "pods/log" }] },
  "/apis/apps/v1": { kind: "APIResourceList", groupVersion: "apps/v1", resources: [] },
};
const resource = (name: string, kind: string) => ({
  resource: name,
  responseKind: { group: "example.com", version: "v1", kind },
  scope: "Namespaced",
  singularResource: kind.toLowerCase(),
  verbs: ["get"],
});
const aggregated = (...kinds: string[]) => ({
  "/api": { kind: "APIGroupDiscoveryList", items: [] },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: { name: "example.com" },
        versions: [
          { version: "v2", freshness: "Stale", resources: [] },
          {
            version: "v1",
            freshness: "Current",
            resources: kinds.map((kind) => resource(`${kind.toLowerCase()}s`, kind)),
          },
        ],
      },
    ],
  },
});

describe("discovery", () => {
  it("asks an old server version by version, and reports what could not be asked", async () => {
    const discovery = createDiscoveryClient(restOf(() => legacy));
    const { groups, failed } = await discovery.surface();
    expect(groups.map(({ name, versions }) => [name, versions.length])).toEqual([
      ["", 1],
      ["apps", 1],
      ["down", 0],
    ]);
    expect(groups[0]?.versions[0]?.resources[0]).toMatchObject({
      resource: "pods",
      singular: "pod",
      shortNames: ["po"],
    });
    expect(failed).toMatchObject([{ group: "down", version: "v1" }]);
  });
  it("of aggregated answers a stale version counts as failed and is not preferred", async () => {
    const { groups, failed } = await createDiscoveryClient(restOf(() => aggregated("Widget"))).surface();
    expect(groups).toMatchObject([{ name: "example.com", preferredVersion: "v1", versions: [{ version: "v1" }] }]);
    expect(failed).toMatchObject([{ group: "example.com", version: "v2" }]);
  });
  it("is asked once for many callers, and again after a failure", async () => {
    let works = false;
    const rest = restOf(() => {
      if (!works) throw new Error("no connection");
      return legacy;
    });
    const discovery = createDiscoveryClient(rest);
    await expect(discovery.surface()).rejects.toThrow("no connection");
    works = true;
    const before = rest.asked.length;
    await Promise.all([discovery.surface(), discovery.surface(), discovery.surface()]);
    expect(rest.asked.length - before).toBe(5);
  });
});

it("a mapper looks once more when a kind is not known: its definition may be new", async () => {
  let kinds = ["Widget"];
  const rest = restOf(() => aggregated(...kinds));
  const mapper = createDynamicMapper(createDiscoveryClient(rest));
  expect((await mapper.mapping({ group: "example.com", kind: "Widget" })).resource.resource).toBe("widgets");
  kinds = ["Widget", "Gadget"];
  const asked = rest.asked.length;
  expect(await mapper.mappingOf({ apiVersion: "example.com/v1", kind: "Gadget" })).toMatchObject({ namespaced: true });
  expect(rest.asked.length - asked).toBe(2);
  await expect(mapper.mappingOf({ apiVersion: "example.com/v1", kind: "Nothing" })).rejects.toBeInstanceOf(
    NoMatchError,
  );
  await expect(mapper.mappingOf({})).rejects.toThrow("names no apiVersion and kind");
});

it("the cache on disk has kubectl's layout, serves the next process, and expires", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-discovery-"));
  const clock = createVirtualClock({ startMs: Date.now() });
  const complete = { ...legacy, "/apis": { ...legacy["/apis"], groups: legacy["/apis"].groups.slice(0, 1) } };
  const rest = restOf(() => complete);
  const open = () =>
    createDiscoveryClient(rest, {
      cache: createDiskDiscoveryCache({
        server: "https://api.example.com:6443",
        folder,
        runtime: systemRuntime({ ioClock: clock }),
      }),
    });
  const first = await open().surface();
  expect(readdirSync(join(folder, "discovery"))).toEqual(["api.example.com_6443"]);
  expect(readdirSync(join(folder, "discovery/api.example.com_6443"), { recursive: true }).map(String).sort()).toEqual([
    "apps",
    "apps/v1",
    "apps/v1/serverresources.json",
    "servergroups.json",
    "v1",
    "v1/serverresources.json",
  ]);
  const asked = rest.asked.length;
  const next = open();
  expect(await next.surface()).toEqual(first);
  expect(rest.asked.length).toBe(asked);
  next.invalidate();
  await next.surface();
  expect(rest.asked.length).toBe(asked + 4);
  await clock.advance(7 * 3600_000);
  await open().surface();
  expect(rest.asked.length).toBe(asked + 8);
  rmSync(folder, { recursive: true });
});
