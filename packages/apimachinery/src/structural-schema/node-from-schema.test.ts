import { describe, expect, it } from "vitest";
import { createNode, type SchemaNode, typeCodes } from "../schema/index.js";
import { nodeFromStructuralSchema } from "./index.js";

const objectMeta: SchemaNode = createNode(typeCodes.struct, "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
const node = nodeFromStructuralSchema(
  {
    type: "object",
    required: ["spec"],
    properties: {
      spec: {
        type: "object",
        properties: {
          text: { type: "string", enum: ["a", "b"] },
          port: { "x-kubernetes-int-or-string": true },
          since: { type: "string", format: "date-time" },
          raw: { type: "string", format: "byte" },
          count: { type: "integer", default: 3 },
          ratio: { type: "number" },
          on: { type: "boolean" },
          open: { "x-kubernetes-preserve-unknown-fields": true },
          loose: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { a: { type: "string" } },
          },
          pod: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
          map: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "atomic" },
          any: { type: "object", additionalProperties: true },
          list: { type: "array", items: { type: "string" } },
          set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          items: {
            type: "array",
            items: { type: "object", properties: { k: { type: "string" } } },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
          },
          constructor: { type: "string" },
        },
      },
    },
  },
  { group: "stable.example.com", version: "v1", kind: "CronTab", objectMeta },
);
const spec = node.byName.get("spec")?.type as SchemaNode;
const type = (name: string): SchemaNode | undefined => spec.byName.get(name)?.type;

describe("the type of a custom resource", () => {
  it("has OpenAPI's name", () => expect(node.name).toBe("com.example.stable.v1.CronTab"));
  it("has what every object has, sorted by name", () =>
    expect(node.fields.map(({ name }) => name)).toEqual(["apiVersion", "kind", "metadata", "spec"]));
  it("has metadata of the built-in type", () => expect(node.byName.get("metadata")?.type.name).toBe(objectMeta.name));
  it("knows what is required, and defaults", () => {
    expect(node.byName.get("spec")?.required).toBe(true);
    expect(spec.byName.get("count")?.defaultValue).toBe(3);
  });
  const rows = [
    { name: "text", want: { code: typeCodes.string, enumValues: ["a", "b"] } },
    { name: "port", want: { code: typeCodes.json } },
    { name: "since", want: { code: typeCodes.intOrString } },
    { name: "raw", want: { code: typeCodes.string } },
    { name: "count", want: { code: typeCodes.int64 } },
    { name: "ratio", want: { code: typeCodes.float64 } },
    { name: "on", want: { code: typeCodes.bool } },
    { name: "open", want: { code: typeCodes.json } },
    { name: "loose", want: { code: typeCodes.struct, preserveUnknown: true } },
    { name: "map", want: { code: typeCodes.map, atomic: true, element: { code: typeCodes.string } } },
    { name: "any", want: { code: typeCodes.map, element: { code: typeCodes.json } } },
    { name: "list", want: { code: typeCodes.list, listType: "atomic" } },
    { name: "set", want: { code: typeCodes.list, listType: "set" } },
    { name: "items", want: { code: typeCodes.list, listType: "map", listKeys: ["k"] } },
    { name: "constructor", want: { code: typeCodes.string } },
  ];
  for (const { name, want } of rows)
    it(`${name} is what its schema declares`, () => expect(type(name)).toMatchObject(want));
  it("an embedded object has a version, a kind and metadata", () =>
    expect(type("pod")?.fields.map(({ name }) => name)).toEqual(["apiVersion", "kind", "metadata"]));
});
