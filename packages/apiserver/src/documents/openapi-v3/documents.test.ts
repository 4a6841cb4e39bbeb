import assert from "node:assert/strict";
import { builtInResources } from "@coxswain/api/resources";
import { builtInTypes as types } from "@coxswain/api/tables";
import { describe, it } from "vitest";
import { readRecorded, withoutProse } from "../recorded-documents.js";
import { serveBuiltIn } from "../served-resource.js";
import { openAPIV3Document, openAPIV3Names } from "./documents.js";

const served = builtInResources.filter((info) => info.servedByDefault).map((info) => serveBuiltIn(info, types));
const recorded = readRecorded<Record<string, unknown>>("openapi-v3");

describe("OpenAPI 3 is that of the real server, but for the prose", () => {
  it("has the same documents", () => assert.deepEqual(openAPIV3Names(served), Object.keys(recorded).sort()));
  for (const [name, theirs] of Object.entries(recorded)) {
    it(name, () => {
      const ours = withoutProse(openAPIV3Document(name, served, { types }));
      assert.deepEqual(ours, withoutProse(theirs));
      // Even the order of members is the same.
      assert.equal(JSON.stringify(ours), JSON.stringify(withoutProse(theirs)));
    });
  }
});

describe("openAPIV3Document", () => {
  const document = (name: string): unknown => openAPIV3Document(name, served, { types });
  for (const name of ["", "api/v2", "apis/nothing", "apis/apps/v2", "apis/apps/v1/pods", "pods", "version/v1"]) {
    it(`has nothing called "${name}"`, () => assert.equal(document(name), undefined));
  }
  it("documents a group-version that is off by default as soon as it is served", () => {
    const beta = builtInResources.filter((info) => info.group === "resource.k8s.io" && info.version === "v1beta1");
    const made = openAPIV3Document(
      "apis/resource.k8s.io/v1beta1",
      beta.map((info) => serveBuiltIn(info, types)),
      { types },
    );
    assert.ok(made?.paths["/apis/resource.k8s.io/v1beta1/deviceclasses/{name}"]);
    assert.ok(made?.components.schemas?.["io.k8s.api.resource.v1beta1.ResourceClaim"]);
  });
  it("puts texts where it is given any", () => {
    const describeType = (name: string, member?: string): string =>
      member === undefined ? `About ${name}.` : `The ${member} of ${name}.`;
    const schemas = openAPIV3Document("api/v1", served, { types, describe: describeType })?.components.schemas;
    const pod = schemas?.["io.k8s.api.core.v1.Pod"];
    assert.equal(pod?.description, "About io.k8s.api.core.v1.Pod.");
    assert.deepEqual(pod?.properties?.["spec"], {
      description: "The spec of io.k8s.api.core.v1.Pod.",
      default: {},
      allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodSpec" }],
    });
    assert.equal(
      schemas?.["io.k8s.apimachinery.pkg.apis.meta.v1.Time"]?.description,
      "About io.k8s.apimachinery.pkg.apis.meta.v1.Time.",
    );
  });
});
