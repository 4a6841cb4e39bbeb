import { existsSync } from "node:fs";
import { loadDescriptions } from "@coxswain/api/descriptions";
import { builtInResources } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { describe, expect, it } from "vitest";

const built = existsSync(new URL("../dist/descriptions/extracted.js", import.meta.url));
if (!built)
  console.warn(
    "NOT CHECKED: the descriptions are extracted by the build (node packages/api/extract-descriptions.mjs).",
  );

describe.skipIf(!built)("the extracted descriptions", () => {
  it("every stored kind that can be served has one", async () => {
    const texts = await loadDescriptions();
    const silent = builtInResources
      .filter((info) => info.storage && texts.ofType(info.schema) === "")
      .map((info) => info.schema);
    expect(silent).toEqual([]);
  });
  it("have what conformance looks for", async () => {
    const texts = await loadDescriptions();
    expect(
      texts.ofMember(builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"), "creationTimestamp"),
    ).toMatch(/^CreationTimestamp is a timestamp/);
    expect(texts.ofMember(builtInTypes.get("io.k8s.api.core.v1.ServiceList"), "items")).toBe("List of services");
  });
});
