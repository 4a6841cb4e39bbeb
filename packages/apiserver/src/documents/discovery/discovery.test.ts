import assert from "node:assert/strict";
import { builtInGroups, builtInResources } from "@coxswain/api/resources";
import { builtInTypes as types } from "@coxswain/api/tables";
import { describe, it } from "vitest";
import { readRecorded } from "../recorded-documents.js";
import { groupVersionOf, serveBuiltIn } from "../served-resource.js";
import { aggregatedDiscovery, discoverResources } from "./aggregated.js";
import { discoveryETag } from "./etag.js";
import { type RankedGroupVersion, rankGroups } from "./group-versions.js";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.js";
import { aggregatedDiscoveryTypes } from "./media-types.js";
import { rankGroupVersions } from "./rank-group-versions.js";

interface Recorded {
  legacy: Record<string, unknown>;
  aggregated: Record<"/api" | "/apis", { document: unknown; headers: { etag: string; "content-type": string } }>;
}
const recorded = readRecorded<Recorded>("discovery");
const served = builtInResources.filter((info) => info.servedByDefault).map((info) => serveBuiltIn(info, types));
const ranked = rankGroupVersions(served, builtInGroups);

/** Equal as data and in the order of members. */
function assertSame(ours: unknown, theirs: unknown): void {
  assert.deepEqual(ours, theirs);
  assert.equal(JSON.stringify(ours), JSON.stringify(theirs));
}

describe("discovery is that of the real server", () => {
  it("/api", () => assertSame(apiVersions("127.0.0.1:6443"), recorded.legacy["/api"]));
  it("/apis", () => assertSame(apiGroupList(ranked), recorded.legacy["/apis"]));
  for (const { group } of rankGroups(ranked))
    it(`/apis/${group}`, () => assertSame(apiGroup(group, ranked), recorded.legacy[`/apis/${group}`]));
  for (const of of ranked) {
    const path = of.group === "" ? "/api/v1" : `/apis/${groupVersionOf(of)}`;
    const own = served.filter((resource) => groupVersionOf(resource) === groupVersionOf(of));
    it(path, () => assertSame(apiResourceList(of, own), recorded.legacy[path]));
  }
  for (const path of ["/api", "/apis"] as const) {
    const entries = ranked
      .filter((of) => (of.group === "") === (path === "/api"))
      .map((of) => ({
        ...of,
        resources: discoverResources(served.filter((resource) => groupVersionOf(resource) === groupVersionOf(of))),
      }));
    it(`${path}, aggregated, with its ETag`, () => {
      const { document, headers } = recorded.aggregated[path];
      const ours = aggregatedDiscovery(entries);
      assertSame(ours, document);
      assert.equal(discoveryETag(ours), headers.etag);
      assert.equal(aggregatedDiscoveryTypes.json, headers["content-type"]);
    });
  }
});

describe("order of groups", () => {
  const of = (group: string, version: string, groupPriority = 1000, versionPriority = 100): RankedGroupVersion => ({
    group,
    version,
    groupPriority,
    versionPriority,
  });
  const cases = [
    { name: "the higher priority comes first", given: [of("a", "v1"), of("b", "v1", 2000)], want: ["b: v1", "a: v1"] },
    {
      name: "equal ones by the names of their APIServices, version first",
      given: [of("a", "v1beta1"), of("b", "v1")],
      want: ["b: v1", "a: v1beta1"],
    },
    {
      name: "versions by priority, then by rank",
      given: [of("a", "v1"), of("a", "v1alpha1"), of("a", "v2beta1", 1000, 200)],
      want: ["a: v2beta1 v1 v1alpha1"],
    },
    {
      name: "a group stands where its best version does",
      given: [of("a", "v1", 10), of("b", "v1", 20), of("a", "v2", 30)],
      want: ["a: v2 v1", "b: v1"],
    },
    { name: "the core group is not listed", given: [of("", "v1"), of("a", "v1")], want: ["a: v1"] },
  ];
  for (const c of cases)
    it(c.name, () =>
      assert.deepEqual(
        rankGroups(c.given).map(({ group, versions }) => `${group}: ${versions.join(" ")}`),
        c.want,
      ),
    );
  it("in the aggregated form, equal groups are sorted by name", () => {
    const list = aggregatedDiscovery([of("b", "v1"), of("a", "v1beta1")].map((each) => ({ ...each, resources: [] })));
    assert.deepEqual(
      list.items.map((item) => item.metadata.name),
      ["a", "b"],
    );
  });
  it("no group of that name", () => assert.equal(apiGroup("nothing", ranked), undefined));
});
