import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { SubresourceInfo } from "@coxswain/api/resources";
import { builtInTypes as types } from "@coxswain/api/tables";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { describe, it } from "vitest";
import { aggregatedDiscovery, discoverResources } from "./discovery/aggregated.js";
import { apiGroup, apiResourceList } from "./discovery/legacy.js";
import { rankGroupVersions } from "./discovery/rank-group-versions.js";
import { openAPIV2Document } from "./openapi-v2/document.js";
import { openAPIV3Document, openAPIV3Names } from "./openapi-v3/documents.js";
import { readRecorded, withoutProse } from "./recorded-documents.js";
import type { ServedResource } from "./served-resource.js";

interface Definition {
  spec: {
    group: string;
    names: {
      plural: string;
      singular: string;
      kind: string;
      listKind: string;
      shortNames: string[];
      categories: string[];
    };
    versions: {
      name: string;
      subresources?: { status?: object; scale?: object };
      schema: { openAPIV3Schema: Record<string, unknown> };
    }[];
  };
}
interface Recorded {
  discovery: Record<string, unknown>;
  aggregated: unknown;
  v3: Record<string, unknown>;
  v2: { paths: Record<string, unknown>; definitions: Record<string, unknown> };
}

const file = new URL("../../testdata/documents/custom-resource-definition.json", import.meta.url);
const { spec } = JSON.parse(readFileSync(file, "utf8")) as Definition;
const recorded = readRecorded<Recorded>("custom-resource");
const { group, names } = spec;

const served = spec.versions.map(({ name: version, subresources, schema }): ServedResource => {
  const verbs = ["get", "patch", "update"];
  const status: SubresourceInfo = { name: "status", kind: { group, version, kind: names.kind }, verbs };
  const scale: SubresourceInfo = {
    name: "scale",
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    verbs,
  };
  return {
    group,
    version,
    resource: names.plural,
    singular: names.singular,
    kind: names.kind,
    listKind: names.listKind,
    namespaced: true,
    shortNames: names.shortNames,
    categories: names.categories,
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    subresources: [...(subresources?.status ? [status] : []), ...(subresources?.scale ? [scale] : [])],
    hash: "EdX2FP+L0js=",
    schema: createNode(typeCodes.struct),
    custom: { openAPIV3Schema: schema.openAPIV3Schema },
  };
});
const ranked = rankGroupVersions(served, []);

function assertSame(ours: unknown, theirs: unknown): void {
  assert.deepEqual(withoutProse(ours), withoutProse(theirs));
}

describe("the documents of a custom resource are those of the real server", () => {
  it("group", () => assertSame(apiGroup(group, ranked), recorded.discovery[`/apis/${group}`]));
  for (const resource of served) {
    const path = `/apis/${group}/${resource.version}`;
    it(path, () => assertSame(apiResourceList(resource, [resource]), recorded.discovery[path]));
  }
  it("aggregated discovery", () => {
    const entries = ranked.map((of) => ({
      ...of,
      resources: discoverResources(served.filter((each) => each.version === of.version)),
    }));
    assertSame(aggregatedDiscovery(entries).items[0], recorded.aggregated);
  });
  it("OpenAPI 3 has no document for the group", () => {
    const own = openAPIV3Names(served).filter((name) => name.includes(group));
    assert.deepEqual(own, Object.keys(recorded.v3));
    assert.equal(openAPIV3Document(`apis/${group}`, served, { types }), undefined);
  });
  for (const name of Object.keys(recorded.v3))
    it(`OpenAPI 3: ${name}`, () => assertSame(openAPIV3Document(name, served, { types }), recorded.v3[name]));
  it("OpenAPI 2: definitions", () => {
    const { definitions } = openAPIV2Document(served, { types });
    for (const [name, definition] of Object.entries(recorded.v2.definitions)) assertSame(definitions[name], definition);
  });
  it("OpenAPI 2: operations", () => {
    const { paths } = openAPIV2Document(served, { types });
    // Shared parameters are named after their texts, which differ.
    const unnamed = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(/(#\/parameters\/\w+)-[^"]*/g, "$1")) as unknown;
    for (const [path, item] of Object.entries(recorded.v2.paths)) assertSame(unnamed(paths[path]), unnamed(item));
  });
});
