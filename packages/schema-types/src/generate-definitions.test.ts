import { describe, expect, it } from "vitest";
import { generateDefinitions } from "./generate-definitions.js";

const generate = (files: Record<string, string>) =>
  generateDefinitions(
    Object.keys(files).filter((path) => path.startsWith("api/")),
    (path) => files[path],
  ).definitions;

/** The schema of `spec` of a kind whose spec is `type`, with `declarations` beside it. */
function specSchema(type: string, declarations = ""): unknown {
  const text = `import type { CustomResource, Int32, Int64, KubernetesObject } from "@coxswain/schema-types";
import type { Container, PodTemplateSpec, ResourceRequirements, ResourceList, LocalObjectReference } from "@coxswain/api/core/v1";
import type { Condition, LabelSelector } from "@coxswain/api/meta/v1";
import type { Quantity, IntOrString, Time, Duration, JsonValue, RawExtension } from "@coxswain/api";
${declarations}
type Spec = ${type};
/**
 * @group example.com
 * @resource
 */
export interface Thing extends CustomResource<Spec> {}`;
  const [definition] = generate({ "api/v1/thing.ts": text });
  const schema = definition!.spec.versions[0]!.schema!.openAPIV3Schema!;
  return schema.properties!["spec"];
}

describe("schemas of types", () => {
  const text = { type: "string" };
  const cases: [name: string, type: string, schema: unknown, declarations?: string][] = [
    [
      "plain members",
      "{ a: string; b?: boolean; c: number }",
      { type: "object", required: ["a", "c"], properties: { a: text, b: { type: "boolean" }, c: { type: "number" } } },
    ],
    [
      "integers",
      "{ a: Int32; b: Int64 }",
      {
        type: "object",
        required: ["a", "b"],
        properties: { a: { type: "integer", format: "int32" }, b: { type: "integer", format: "int64" } },
      },
    ],
    ["an enumeration", '"A" | "B"', { type: "string", enum: ["A", "B"] }],
    ["an open enumeration is a text", '"A" | "B" | (string & {})', text],
    ["numbers to choose from", "1 | 2", { type: "integer", enum: [1, 2] }],
    [
      "number or text",
      "number | string",
      { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
    ],
    ["null", "string | null", { type: "string", nullable: true }],
    ["lists", "readonly string[][]", { type: "array", items: { type: "array", items: text } }],
    [
      "maps",
      "Record<string, { [name: string]: string }>",
      { type: "object", additionalProperties: { type: "object", additionalProperties: text } },
    ],
    [
      "utility types",
      'Partial<Pick<A, "a">> & Omit<A, "a" | "b">',
      { type: "object", required: ["c"], properties: { a: text, c: text } },
      "interface A { a: string; b: string; c: string }",
    ],
    [
      "generics with defaults",
      "Page<string>",
      { type: "object", required: ["items"], properties: { items: { type: "array", items: text }, next: text } },
      "interface Page<T, N = T> { items: T[]; next?: N }",
    ],
    [
      "interfaces that extend others",
      "B",
      { type: "object", required: ["a", "b"], properties: { a: { type: "string", enum: ["x"] }, b: text } },
      'interface A { a: string } interface B extends A { a: "x"; b: string }',
    ],
    [
      "mapped types and keyof",
      "{ [K in keyof A]?: A[K] }",
      { type: "object", properties: { a: text, b: { type: "boolean" } } },
      "interface A { a: string; b: boolean }",
    ],
    [
      "anything",
      "{ a?: unknown; b?: object; c?: JsonValue }",
      {
        type: "object",
        properties: {
          a: { "x-kubernetes-preserve-unknown-fields": true },
          b: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          c: { "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
    [
      "times and durations",
      "{ at?: Time; after?: Duration }",
      { type: "object", properties: { at: { type: "string", format: "date-time" }, after: text } },
    ],
    [
      "types of Kubernetes",
      "{ selector?: LabelSelector; ref?: LocalObjectReference }",
      {
        type: "object",
        properties: {
          selector: {
            type: "object",
            properties: {
              matchLabels: { type: "object", additionalProperties: text },
              matchExpressions: {
                type: "array",
                "x-kubernetes-list-type": "atomic",
                items: {
                  type: "object",
                  required: ["key", "operator"],
                  properties: {
                    key: text,
                    operator: text,
                    values: { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
                  },
                },
              },
            },
            "x-kubernetes-map-type": "atomic",
          },
          ref: {
            type: "object",
            properties: { name: { type: "string", default: "" } },
            "x-kubernetes-map-type": "atomic",
          },
        },
      },
    ],
    [
      "an object of any kind",
      "KubernetesObject",
      { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    ],
    [
      "objects apart by a discriminator",
      '{ type: "file"; path: string } | { type: "url"; url: string; path?: string }',
      {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string", enum: ["file", "url"] }, path: text, url: text },
        oneOf: [
          { properties: { type: { enum: ["file"] } }, required: ["path"] },
          { properties: { type: { enum: ["url"] } }, required: ["url"] },
        ],
      },
    ],
    [
      "objects of which both may be",
      "{ a: string } | { b: string }",
      { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ],
    [
      "objects apart by what is never there",
      "{ a: string; b?: never } | { a?: never; b: string }",
      {
        type: "object",
        properties: { a: text, b: text },
        oneOf: [
          { required: ["a"], not: { required: ["b"] } },
          { required: ["b"], not: { required: ["a"] } },
        ],
      },
    ],
    [
      "markers",
      "Spec1",
      {
        type: "object",
        description: "What is wanted.",
        required: ["name"],
        properties: {
          name: { type: "string", description: "Its name.", minLength: 1, maxLength: 63, pattern: "^[a-z]+$" },
          replicas: { type: "integer", format: "int32", minimum: 1, maximum: 10, default: 3 },
          policy: { type: "string", enum: ["Keep", "Drop"], default: "Keep" },
          tags: {
            type: "array",
            items: { type: "string", maxLength: 20 },
            "x-kubernetes-list-type": "set",
            maxItems: 8,
          },
          rest: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
        "x-kubernetes-validations": [
          { rule: "self.replicas > 1 || !has(self.tags)" },
          {
            rule: "self.name == oldSelf.name",
            message: "the name is fixed",
            reason: "FieldValueForbidden",
            fieldPath: ".name",
          },
        ],
      },
      `/**
 * What is wanted.
 * @cel self.replicas > 1 || !has(self.tags)
 * @cel rule="self.name == oldSelf.name" message="the name is fixed" reason=FieldValueForbidden fieldPath=.name
 */
interface Spec1 {
  /**
   * Its name.
   * @minLength 1
   * @maxLength 63
   * @pattern ^[a-z]+$
   */
  name: string;
  /**
   * @minimum 1
   * @maximum 10
   * @default 3
   */
  replicas?: Int32;
  /** @default Keep */
  policy?: "Keep" | "Drop";
  /**
   * @listType set
   * @maxItems 8
   * @items.maxLength 20
   */
  tags?: string[];
  /** @preserveUnknownFields */
  rest?: Spec1;
}`,
    ],
  ];
  for (const [name, type, schema, declarations] of cases)
    it(name, () => expect(specSchema(type, declarations)).toEqual(schema));

  const refused: [name: string, type: string, message: RegExp, declarations?: string][] = [
    [
      "a tuple",
      "[string, number]",
      /^api\/v1\/thing\.ts:6:13: a schema cannot have a list whose items differ by position/,
    ],
    ["a date", "{ at: Date }", /6:19: JSON has no dates: use Time/],
    ["a function", "{ f(): void }", /a method has no schema/],
    [
      "a recursive type",
      "Tree",
      /this type contains itself, which a schema cannot describe: mark the member/,
      "interface Tree { children?: Tree[] }",
    ],
    ["an alias of itself", "Loop", /this type is defined by itself/, "type Loop = Loop;"],
    ["a union of unlike types", "string | { a: string }", /a schema cannot describe this union/],
    ["an unknown name", "Missing", /"Missing" is neither declared nor imported/],
    ["a missing argument", "Page", /Page needs a type for its parameter T/, "interface Page<T> { items: T[] }"],
    [
      "a type of another package",
      "Other",
      /types of the package "other" cannot be part of a schema/,
      'import type { Other } from "other";',
    ],
    [
      "a misspelt marker",
      "A",
      /@minimun: is no marker; did you mean @minimum\?/,
      "interface A {\n/** @minimun 1 */\na?: Int32 }",
    ],
    [
      "a marker on the wrong type",
      "A",
      /@minLength: stands on a value of type integer, not on string/,
      "interface A {\n/** @minLength 1 */\na?: Int32 }",
    ],
  ];
  for (const [name, type, message, declarations] of refused)
    it(`${name} is refused with its place`, () => expect(() => specSchema(type, declarations)).toThrow(message));
});

describe("definitions", () => {
  it("a kind in two versions with everything that markers can express", () => {
    const files = {
      "api/v1/group.ts": "/** @group media.example.com */\nexport {};",
      "api/v1/video.ts": `import type { CustomResource } from "@coxswain/schema-types";
import type { Shared } from "../shared.js";
/**
 * A video.
 * @resource plural=videos shortNames=vid,v categories=all scope=Cluster
 * @storageVersion
 * @subresource status
 * @scale spec=.spec.count status=.status.count selector=.status.selector
 * @printColumn Phase path=.status.phase
 * @printColumn "Age in days" type=date path=.metadata.creationTimestamp priority=1 description="since it was made"
 * @selectableField .spec.name
 * @labels team=media
 */
export interface Video extends CustomResource<Shared, { phase?: string; count?: number; selector?: string }> {}
`,
      "api/v1beta1/video.ts": `/** @group media.example.com
 * @resource
 * @deprecatedVersion use v1
 * @unserved
 */
export interface Video { apiVersion?: string; spec: { name: string } }`,
      "api/shared.ts": "export interface Shared { name: string; count?: number }",
    };
    const [definition, ...others] = generateDefinitions(
      Object.keys(files).filter((path) => path !== "api/shared.ts"),
      (path) => files[path as keyof typeof files],
    ).definitions;
    expect(others).toEqual([]);
    expect(definition).toMatchObject({
      metadata: { name: "videos.media.example.com", labels: { team: "media" } },
      spec: {
        group: "media.example.com",
        scope: "Cluster",
        names: {
          plural: "videos",
          singular: "video",
          kind: "Video",
          listKind: "VideoList",
          shortNames: ["vid", "v"],
          categories: ["all"],
        },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: {
                specReplicasPath: ".spec.count",
                statusReplicasPath: ".status.count",
                labelSelectorPath: ".status.selector",
              },
            },
            additionalPrinterColumns: [
              { name: "Phase", type: "string", jsonPath: ".status.phase" },
              {
                name: "Age in days",
                type: "date",
                jsonPath: ".metadata.creationTimestamp",
                priority: 1,
                description: "since it was made",
              },
            ],
            selectableFields: [{ jsonPath: ".spec.name" }],
            schema: {
              openAPIV3Schema: {
                description: "A video.",
                required: ["spec"],
                properties: { metadata: { type: "object" }, spec: { required: ["name"] } },
              },
            },
          },
          { name: "v1beta1", served: false, storage: false, deprecated: true, deprecationWarning: "use v1" },
        ],
      },
    });
  });

  const refused: [name: string, files: Record<string, string>, message: string][] = [
    [
      "no group",
      { "api/v1/a.ts": "/** @resource */ export interface A {}" },
      'api/v1/a.ts:1:1: @resource: no group: write "@group',
    ],
    [
      "no version",
      { "api/video/a.ts": "/** @group a.b\n * @resource */ export interface A {}" },
      '"video" is no API version',
    ],
    [
      "two versions and none stored",
      {
        "api/v1/a.ts": "/** @group a.b\n * @resource */ export interface A {}",
        "api/v2/a.ts": "/** @group a.b\n * @resource */ export interface A {}",
      },
      "A has 2 versions: mark one with @storageVersion",
    ],
  ];
  for (const [name, files, message] of refused)
    it(`${name} is refused`, () => expect(() => generate(files)).toThrow(message));
});
