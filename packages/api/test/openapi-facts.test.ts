import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { builtInTypes } from "@coxswain/api/tables";
import { type FieldNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { describeWith } from "@coxswain/tools/needs";
import { describe, expect, it } from "vitest";
import { goModule, goModules } from "./go-module.js";

interface Schema {
  type?: string;
  format?: string;
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  enum?: string[];
  [extension: `x-kubernetes-${string}`]: unknown;
}
type Document = { components?: { schemas?: Record<string, Schema> } };

/** Named types that are no structs of ours: their form is a type code. */
const codeNames: Partial<Record<number, string>> = {
  [typeCodes.quantity]: "Quantity",
  [typeCodes.time]: "Time",
  [typeCodes.microTime]: "MicroTime",
  [typeCodes.duration]: "Duration",
  [typeCodes.intOrString]: "IntOrString",
  [typeCodes.rawExtension]: "RawExtension",
  [typeCodes.fieldsV1]: "FieldsV1",
  [typeCodes.json]: "JSON",
  [typeCodes.schemaOrBool]: "JSONSchemaPropsOrBool",
  [typeCodes.schemaOrArray]: "JSONSchemaPropsOrArray",
  [typeCodes.schemaOrStringArray]: "JSONSchemaPropsOrStringArray",
};

const scalars: Partial<Record<number, string>> = {
  [typeCodes.string]: "string",
  [typeCodes.bool]: "boolean",
  [typeCodes.int32]: "integer int32",
  [typeCodes.uint32]: "integer int64",
  [typeCodes.int64]: "integer int64",
  [typeCodes.float64]: "number double",
  [typeCodes.bytes]: "string byte",
  [typeCodes.wrappedStringList]: "[]string",
};

function ours(node: SchemaNode): string {
  if (node.code === typeCodes.list && node.element) return `[]${ours(node.element)}`;
  if (node.code === typeCodes.map && node.element) return `{}${ours(node.element)}`;
  const named = codeNames[node.code];
  if (node.code === typeCodes.struct || named) return named ?? node.name;
  return scalars[node.code] ?? "?";
}

function theirs(schema: Schema): string {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const short = name.slice(name.lastIndexOf(".") + 1);
    return Object.values(codeNames).includes(short) ? short : name;
  }
  if (schema.items) return `[]${theirs(schema.items)}`;
  if (schema.additionalProperties) return `{}${theirs(schema.additionalProperties)}`;
  return [schema.type, schema.format].filter(Boolean).join(" ");
}

/** The facts of a member that both sides state, as text, so that a difference reads well. */
function ourFacts({ name, type, required, patchStrategy, patchMergeKey }: FieldNode): string {
  const facts = [
    `${name} ${ours(type)}`,
    required ? "required" : "",
    `strategy=${patchStrategy.join(",")}`,
    `key=${patchMergeKey}`,
  ];
  const list = type.code === typeCodes.list || type.code === typeCodes.wrappedStringList;
  const ownType =
    list || type.code === typeCodes.bytes
      ? ""
      : type.code === typeCodes.struct
        ? type.applyType === builtInTypes.get(type.name).applyType
          ? ""
          : type.applyType
        : type.applyType;
  facts.push(
    `list=${list || type.code === typeCodes.bytes ? type.applyType : ""}`,
    `keys=${type.listKeys.join(",")}`,
    `map=${ownType}`,
  );
  return facts.join(" ");
}

function theirFacts(name: string, schema: Schema, required: boolean): string {
  const text = (key: string): string => String(schema[`x-kubernetes-${key}`] ?? "");
  const facts = [
    `${name} ${theirs(schema)}`,
    required ? "required" : "",
    `strategy=${text("patch-strategy")}`,
    `key=${text("patch-merge-key")}`,
  ];
  facts.push(`list=${text("list-type")}`, `keys=${text("list-map-keys")}`, `map=${text("map-type")}`);
  return facts.join(" ");
}

const unionText = (unions: unknown): string => JSON.stringify(unions ?? []);
const ourUnions = (node: SchemaNode): unknown =>
  node.unions.map(({ discriminator, members }) => ({
    ...(discriminator && { discriminator }),
    "fields-to-discriminateBy": Object.fromEntries(members.map(({ field, goName }) => [field, goName]).sort()),
  }));

function compare(document: Document, withEnums: boolean): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (Object.values(codeNames).includes(name.slice(name.lastIndexOf(".") + 1)) || name.endsWith("v1.Patch")) continue;
    const node = builtInTypes.get(name);
    const required = new Set(schema.required);
    const properties = Object.entries(schema.properties ?? {});
    expect([name, ...node.fields.map(ourFacts).sort()]).toEqual([
      name,
      ...properties.map(([key, value]) => theirFacts(key, value, required.has(key))).sort(),
    ]);
    expect(`${name} ${node.applyType}`).toBe(`${name} ${String(schema["x-kubernetes-map-type"] ?? "")}`);
    expect(`${name} ${unionText(ourUnions(node))}`).toBe(`${name} ${unionText(schema["x-kubernetes-unions"])}`);
    if (!withEnums) continue;
    // Upstream has no text for an enum inside a map.
    const valuesOf = (type: SchemaNode): string =>
      ((type.code === typeCodes.list ? type.element : type)?.enumValues ?? []).join();
    const enums = properties.map(([key, value]) => `${name}.${key} ${(value.enum ?? value.items?.enum ?? []).join()}`);
    expect(node.fields.map(({ name: key, type }) => `${name}.${key} ${valuesOf(type)}`).sort()).toEqual(enums.sort());
  }
}

const kubernetes = goModule("k8s.io/kubernetes");
describeWith("types against the OpenAPI of every version", { found: kubernetes, missing: goModules }, (module) => {
  const folder = join(module, "api/openapi-spec/v3");
  for (const file of readdirSync(folder)) {
    it(file, () => compare(JSON.parse(readFileSync(join(folder, file), "utf8")) as Document, false));
  }
});

// Recorded from kube-apiserver 1.36.4 with default settings (packages/apiserver/testdata/documents); only there are enums.
describe("types against the OpenAPI of a default server", () => {
  const recorded = JSON.parse(
    gunzipSync(
      readFileSync(new URL("../../apiserver/testdata/documents/openapi-v3.json.gz", import.meta.url)),
    ).toString(),
  ) as Record<string, Document>;
  for (const [path, document] of Object.entries(recorded)) it(path, () => compare(document, true));
});
