import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CustomResourceDefinition, JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { generateDefinitions } from "@coxswain/schema-types";
import { describe, expect, it } from "vitest";
import { compileModules } from "./compiled-modules.test.support.js";
import { definitionModules } from "./definition-modules.js";

const thing = (spec: JSONSchemaProps): CustomResourceDefinition => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Thing", plural: "things", singular: "thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      },
    ],
  },
});
/** The lines between the kind and its resource. */
const typesOf = (spec: JSONSchemaProps): string => {
  const { text } = definitionModules(thing(spec))[0]!;
  return text.slice(text.indexOf("  spec?"), text.indexOf("export const")).trim();
};

describe("types of schemas", () => {
  const cases: [name: string, schema: JSONSchemaProps, text: string][] = [
    ["a text", { type: "string" }, "spec?: string;\n}"],
    [
      "an enumeration that may be null",
      { type: "string", enum: ["a", "b"], nullable: true },
      'spec?: "a" | "b" | null;\n}',
    ],
    ["a list of either", { type: "array", items: { "x-kubernetes-int-or-string": true } }, "spec?: IntOrString[];\n}"],
    ["a list of lists without items", { type: "array", items: { type: "array" } }, "spec?: unknown[][];\n}"],
    [
      "a map",
      { type: "object", additionalProperties: { type: "integer", format: "int32" } },
      "spec?: Record<string, Int32>;\n}",
    ],
    ["anything", {}, "spec?: unknown;\n}"],
    ["an open object", { type: "object", "x-kubernetes-preserve-unknown-fields": true }, "spec?: RawExtension;\n}"],
    [
      "members with odd names and a comment that would end",
      { type: "object", required: ["a-b"], properties: { "a-b": { type: "string", description: "ends */ here" } } },
      'spec?: ThingSpec;\n}\n\nexport interface ThingSpec {\n  /** ends *\\/ here */\n  "a-b": string;\n}',
    ],
    [
      "two equal objects are one interface",
      {
        type: "object",
        properties: {
          a: { type: "object", properties: { x: { type: "string" } } },
          b: { type: "object", description: "B", properties: { x: { type: "string" } } },
        },
      },
      "spec?: ThingSpec;\n}\n\nexport interface ThingSpec {\n  a?: ThingSpecA;\n  /** B */\n  b?: ThingSpecA;\n}\n\nexport interface ThingSpecA {\n  x?: string;\n}",
    ],
    [
      "names that meet get numbers",
      {
        type: "object",
        properties: { "a-b": { type: "object", properties: { x: {} } }, aB: { type: "object", properties: { y: {} } } },
      },
      'spec?: ThingSpec;\n}\n\nexport interface ThingSpec {\n  "a-b"?: ThingSpecAB;\n  aB?: ThingSpecAB2;\n}\n\nexport interface ThingSpecAB {\n  x?: unknown;\n}\n\nexport interface ThingSpecAB2 {\n  y?: unknown;\n}',
    ],
  ];
  for (const [name, schema, text] of cases) it(name, () => expect(typesOf(schema)).toBe(text));
});

const folder = fileURLToPath(new URL("../../../schema-types/testdata/definitions/", import.meta.url));
const files = ["v1/kinds.ts", "v1/shapes.ts", "v1/unions.ts", "v1beta1/versioned.ts"];
const { definitions } = generateDefinitions(files, (path) =>
  files.includes(path) ? readFileSync(folder + path, "utf8") : undefined,
);

describe("types of definitions", () => {
  it("compile under strict", () => expect(compileModules(definitions.flatMap(definitionModules))).toEqual([]));

  it("make the same schemas again", () => {
    for (const definition of definitions) {
      // Unions of objects are wider in types than in the schema that they came from.
      if (definition.spec.names.kind === "Unions") continue;
      for (const [index, { text }] of definitionModules(definition).entries()) {
        const marked = text.replace(
          /export interface (\w+) extends/,
          "/**\n * @group example.com\n * @version v1\n * @resource\n */\nexport interface $1 extends",
        );
        const [again] = generateDefinitions(["api/v1/again.ts"], () => marked).definitions;
        const specOf = (of: CustomResourceDefinition, at: number) =>
          of.spec.versions[at]!.schema!.openAPIV3Schema!.properties!["spec"];
        expect(specOf(again!, 0)).toEqual(specOf(definition, index));
      }
    }
  });
});
