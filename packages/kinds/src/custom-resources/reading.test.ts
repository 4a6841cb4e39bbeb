import { createHash } from "node:crypto";
import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { decodeJson, encodeJson, walk } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import { customKind } from "./custom-kind.js";
import type { CustomObject } from "./custom-object.js";
import type { Definition, VersionSpec } from "./version-spec.js";

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

function kindOf(openAPIV3Schema: JSONSchemaProps, preserveUnknownFields = false) {
  const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
  const version: VersionSpec = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
  const definition: Definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [version], preserveUnknownFields },
    status: { acceptedNames: names },
  };
  return customKind(definition, version, { sha256 });
}

const schema: JSONSchemaProps = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      default: {},
      properties: {
        n: { type: "integer", default: 3 },
        s: { type: "string" },
        nullable: { type: "string", nullable: true },
        t: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
  },
};

const head = { apiVersion: "example.com/v1", kind: "Thing" };
const bytes = (object: object): Uint8Array => new TextEncoder().encode(JSON.stringify(object));

/** Without the notes about members that were given empty. */
const plain = (value: object): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** What a body becomes. */
function read(body: object, kind = kindOf(schema)): { object: object; unknown: readonly string[] } {
  const object = decodeJson(bytes({ ...head, ...body }), kind.bodySchema!).object as CustomObject;
  const unknown = kind.normalizeSent?.(object) ?? [];
  kind.setDefaults?.(object);
  return { object, unknown };
}

describe("what is applied to a custom resource", () => {
  it("keeps null also where validation refuses it", () => {
    const kind = kindOf(schema);
    const object = { ...head, metadata: { name: "a" }, spec: { n: null, s: null } } as unknown as CustomObject; // as it is sent
    kind.normalizeSent?.(object, { keepsNulls: true });
    kind.setDefaults?.(object);
    expect((plain(object) as { spec: object }).spec).toEqual({ n: 3, s: null });
  });
});

describe("a body of a custom resource", () => {
  const cases = [
    {
      name: "gets its defaults",
      body: { metadata: { name: "a" } },
      want: { metadata: { name: "a" }, spec: { n: 3 } },
      unknown: [],
    },
    {
      name: "loses what the schema does not know",
      body: { metadata: { name: "a", foo: 1 }, spec: { x: 1, s: "a" }, more: {} },
      want: { metadata: { name: "a" }, spec: { n: 3, s: "a" } },
      unknown: ["metadata.foo", "more", "spec.x"],
    },
    {
      name: "keeps values of the wrong type for validation to refuse",
      body: { metadata: { name: "a" }, spec: { n: "x", s: 5 } },
      want: { metadata: { name: "a" }, spec: { n: "x", s: 5 } },
      unknown: [],
    },
    {
      name: "keeps null only where it is allowed",
      body: { metadata: { name: "a" }, spec: { n: null, s: null, nullable: null } },
      want: { metadata: { name: "a" }, spec: { n: 3, nullable: null } },
      unknown: [],
    },
    {
      name: "has the metadata of embedded resources in canonical form",
      body: {
        metadata: { name: "a", labels: {} },
        spec: { t: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", foo: 1, labels: {} }, x: 1 } },
      },
      want: {
        metadata: { name: "a" },
        spec: { n: 3, t: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, x: 1 } },
      },
      unknown: ["spec.t.metadata.foo"],
    },
    {
      name: "may have members of any name",
      body: JSON.parse('{"metadata":{"name":"a"},"__proto__":{"x":1},"spec":{"constructor":1}}') as object,
      want: { metadata: { name: "a" }, spec: { n: 3 } },
      unknown: ["__proto__", "spec.constructor"],
    },
  ];
  for (const { name, body, want, unknown } of cases)
    it(name, () => expect(plain(read(body))).toEqual({ object: { ...head, ...want }, unknown }));

  it("keeps everything where the definition does", () => {
    const { object, unknown } = read({ metadata: { name: "a" }, more: { b: null } }, kindOf({ type: "object" }, true));
    expect({ object, unknown }).toEqual({
      object: { ...head, metadata: { name: "a" }, more: { b: null } },
      unknown: [],
    });
  });
  it("is refused where its metadata cannot be read", () =>
    expect(() => read({ metadata: { labels: { a: 1 } } })).toThrow(
      "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
    ));
  it("is encoded with its members sorted", () => {
    const kind = kindOf(schema);
    const { object } = read(
      { metadata: { name: "a", namespace: "b", labels: { z: "1", a: "2" } }, spec: { s: "x" } },
      kind,
    );
    expect(new TextDecoder().decode(encodeJson(walk(object, kind.schema), kind.schema))).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"labels":{"a":"2","z":"1"},"name":"a","namespace":"b"},"spec":{"n":3,"s":"x"}}',
    );
  });
  it("never shares a default with another object", () => {
    const kind = kindOf(schema);
    const [first, second] = [read({ metadata: {} }, kind), read({ metadata: {} }, kind)] as {
      object: { spec: object };
    }[];
    expect(first?.object.spec).not.toBe(second?.object.spec);
  });
});

describe("a stored custom resource", () => {
  const normalized = (object: object): object => {
    const copy = { ...head, ...object } as CustomObject;
    kindOf(schema).normalizeStored?.(copy);
    return copy;
  };

  it("gets defaults and a generation, and loses what the schema no longer knows", () =>
    expect(normalized({ metadata: { name: "a" }, spec: { old: 1 } })).toEqual({
      ...head,
      metadata: { name: "a", generation: 1 },
      spec: { n: 3 },
    }));
  it("has its members sorted", () => {
    const object = normalized({ spec: { s: "a" }, metadata: { namespace: "n", name: "a", labels: { a: "b" } } });
    expect(JSON.stringify(object)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"generation":1,"labels":{"a":"b"},"name":"a","namespace":"n"},"spec":{"n":3,"s":"a"}}',
    );
  });
  it("loses metadata that cannot be read instead of failing", () =>
    expect(normalized({ metadata: { name: "a", labels: { b: 1 }, generation: 2 } })).toEqual({
      ...head,
      metadata: { name: "a", generation: 2 },
      spec: { n: 3 },
    }));
});

describe("an object that was converted from another version", () => {
  it("is pruned and gets no defaults", () => {
    const object = { ...head, metadata: { name: "a" }, spec: { x: 1 } } as CustomObject;
    kindOf(schema).normalizeConverted?.(object);
    expect(object).toEqual({ ...head, metadata: { name: "a" }, spec: {} });
  });
});
