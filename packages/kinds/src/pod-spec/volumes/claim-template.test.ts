import type { ObjectMeta } from "@coxswain/api/meta/v1";
import { builtInTypes } from "@coxswain/api/tables";
import { fieldPath } from "@coxswain/apimachinery/field";
import { decodeJson } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import { checkTemplateMetadata } from "./claim-template.js";

const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

describe("the metadata of a template", () => {
  const cases = [
    { name: "may have labels and annotations", metadata: { labels: { a: "b" }, annotations: { c: "d" } }, refused: [] },
    { name: "may have empty labels", metadata: { labels: {} }, refused: [] },
    { name: "may not have a name", metadata: { name: "n" }, refused: ["metadata.name"] },
    {
      name: "may not have a list of owners, even an empty one",
      metadata: { ownerReferences: [] },
      refused: ["metadata.ownerReferences"],
    },
    {
      name: "may not have an empty list of finalizers",
      metadata: { finalizers: [] },
      refused: ["metadata.finalizers"],
    },
    { name: "may have null for owners", metadata: { ownerReferences: null }, refused: [] },
  ];
  for (const { name, metadata, refused } of cases)
    it(name, () => {
      const { object } = decodeJson(new TextEncoder().encode(JSON.stringify(metadata)), objectMeta);
      const errors = checkTemplateMetadata(object as ObjectMeta, fieldPath("metadata"));
      expect(errors.map(({ field }) => field)).toEqual(refused);
    });
});
