import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CustomResourceDefinition, JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { describe, expect, it } from "vitest";
import { generateDefinitions } from "./generate-definitions.js";

// The same types in Go and in TypeScript: tools/answers/definitions has the Go ones and the program that asks controller-gen.
const folder = fileURLToPath(new URL("../testdata/definitions/", import.meta.url));
const read = (path: string): string => readFileSync(folder + path, "utf8");
const theirs = JSON.parse(read("controller-gen.json")) as Record<string, CustomResourceDefinition>;
const files = ["v1/kinds.ts", "v1/shapes.ts", "v1beta1/versioned.ts"];
const ours = new Map(
  generateDefinitions(files, (path) => (files.includes(path) ? read(path) : undefined)).definitions.map(
    (definition) => [definition.spec.names.kind, definition],
  ),
);

const specOf = (definition: CustomResourceDefinition): Record<string, JSONSchemaProps> =>
  definition.spec.versions[0]!.schema!.openAPIV3Schema!.properties!["spec"]!.properties!;
/** What stands on every kind in words of one's own. */
function withoutCommonWords(definition: CustomResourceDefinition): CustomResourceDefinition {
  const copy = structuredClone(definition);
  delete copy.status; // Go writes an empty one
  for (const { schema } of copy.spec.versions)
    for (const name of ["apiVersion", "kind"]) delete schema?.openAPIV3Schema?.properties?.[name]?.description;
  return copy;
}

/** Where a schema differs from controller-gen's, as the last names of its path, each with the reason. */
const differences: readonly { path: readonly string[]; reason: string }[] = [
  {
    path: ["azureDisk", "properties", "cachingMode", "default"],
    reason: "a default that names a Go constant, which controller-gen does not read",
  },
  { path: ["azureDisk", "properties", "kind", "default"], reason: "likewise" },
];

function withoutDifferences(value: unknown, path: readonly string[] = []): unknown {
  if (differences.some((known) => known.path.join() === path.slice(-known.path.length).join())) return undefined;
  if (Array.isArray(value)) return value.map((item, index) => withoutDifferences(item, [...path, String(index)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutDifferences(inner, [...path, name])]),
  );
}

describe("schemas beside controller-gen's", () => {
  const [their, our] = [specOf(theirs["Shapes"]!), specOf(ours.get("Shapes")!)];
  it("both have the same members, at least sixty", () => {
    expect(Object.keys(our).sort()).toEqual(Object.keys(their).sort());
    expect(Object.keys(our).length).toBeGreaterThanOrEqual(60);
  });
  for (const name of Object.keys(their))
    it(name, () => expect(withoutDifferences(our[name])).toEqual(withoutDifferences(their[name])));
  it("the listed differences are there", () => {
    const volumes = (spec: Record<string, JSONSchemaProps>) =>
      JSON.stringify(spec["builtInTemplate"]).match(/"default":"(?:ReadWrite|Shared)"/g);
    expect([volumes(our)?.length, volumes(their)]).toEqual([differences.length, null]);
  });
});

describe("definitions beside controller-gen's", () => {
  for (const kind of ["Versioned", "Policy", "Library"])
    it(kind, () => expect(withoutCommonWords(ours.get(kind)!)).toEqual(withoutCommonWords(theirs[kind]!)));
  it("Shapes, but for its members", () => {
    const withoutSpec = (definition: CustomResourceDefinition): CustomResourceDefinition => {
      const copy = withoutCommonWords(definition);
      delete copy.spec.versions[0]!.schema!.openAPIV3Schema!.properties!["spec"]!.properties;
      return copy;
    };
    expect(withoutSpec(ours.get("Shapes")!)).toEqual(withoutSpec(theirs["Shapes"]!));
  });
});
