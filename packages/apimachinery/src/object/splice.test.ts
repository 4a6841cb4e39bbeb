import { describe, expect, it } from "vitest";
import { locateMetadata, spliceResourceVersion, withoutManagedFields } from "./index.js";

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const text = (value: Uint8Array): string => new TextDecoder().decode(value);
const builtIn = (metadata: object, rest: object = {}): object => ({ kind: "Pod", apiVersion: "v1", metadata, ...rest });
const custom = (metadata: object, rest: object = {}): object => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata,
  ...rest,
});
const trap = '"resourceVersion":"1","metadata":{"managedFields":[{]}\\';

describe("splicing resourceVersion", () => {
  const cases = [
    {
      name: "another version",
      before: builtIn({ name: "a", resourceVersion: "9" }, { spec: {} }),
      after: builtIn({ name: "a", resourceVersion: "123" }, { spec: {} }),
    },
    {
      name: "after uid, before generation",
      before: builtIn({ name: "a", uid: "u", generation: 1 }),
      after: builtIn({ name: "a", uid: "u", resourceVersion: "123", generation: 1 }),
    },
    { name: "first of all", before: builtIn({ labels: {} }), after: builtIn({ resourceVersion: "123", labels: {} }) },
    {
      name: "last of all",
      before: builtIn({ name: "a", namespace: "b" }),
      after: builtIn({ name: "a", namespace: "b", resourceVersion: "123" }),
    },
    { name: "alone", before: builtIn({}), after: builtIn({ resourceVersion: "123" }) },
    {
      name: "a custom resource's members are in order of name",
      before: custom({ labels: { z: "1" }, name: "a", uid: "u" }),
      after: custom({ labels: { z: "1" }, name: "a", resourceVersion: "123", uid: "u" }),
    },
    {
      name: "a custom resource that has one",
      before: custom({ name: "a", resourceVersion: "", uid: "u" }),
      after: custom({ name: "a", resourceVersion: "123", uid: "u" }),
    },
    {
      name: "words in strings are only words",
      before: builtIn({ name: trap, annotations: { [trap]: trap } }, { spec: { metadata: {} } }),
      after: builtIn({ name: trap, resourceVersion: "123", annotations: { [trap]: trap } }, { spec: { metadata: {} } }),
    },
    {
      name: "a member before metadata",
      before: { apiVersion: "v1", data: { metadata: { name: "x" } }, kind: "K", metadata: { name: "a" } },
      after: {
        apiVersion: "v1",
        data: { metadata: { name: "x" } },
        kind: "K",
        metadata: { name: "a", resourceVersion: "123" },
      },
    },
    {
      name: "without kind and version",
      before: { metadata: { name: "a" } },
      after: { metadata: { name: "a", resourceVersion: "123" } },
    },
  ];
  for (const c of cases)
    it(c.name, () => expect(text(spliceResourceVersion(bytes(c.before), 123))).toBe(JSON.stringify(c.after)));
});

describe("leaving managedFields out", () => {
  const managedFields = [{ manager: "m", fieldsV1: { "f:metadata": { "f:managedFields": {} } } }];
  const cases = [
    {
      name: "at the end",
      before: builtIn({ name: "a", managedFields }, { spec: {} }),
      after: builtIn({ name: "a" }, { spec: {} }),
    },
    {
      name: "in the middle",
      before: custom({ labels: {}, managedFields, name: "a" }),
      after: custom({ labels: {}, name: "a" }),
    },
    { name: "at the beginning", before: custom({ managedFields, name: "a" }), after: custom({ name: "a" }) },
    { name: "alone", before: custom({ managedFields }), after: custom({}) },
    { name: "not there", before: builtIn({ name: "managedFields" }), after: builtIn({ name: "managedFields" }) },
  ];
  for (const c of cases)
    it(c.name, () => expect(text(withoutManagedFields(bytes(c.before)))).toBe(JSON.stringify(c.after)));
});

describe("locating metadata", () => {
  it("gives the head and the metadata", () => {
    const encoded = bytes(builtIn({ name: "a" }, { spec: {} }));
    const places = locateMetadata(encoded);
    expect(text(encoded.subarray(places?.headEnd))).toBe('"metadata":{"name":"a"},"spec":{}}');
    expect(text(encoded.subarray(places?.metadataStart, places?.metadataEnd))).toBe('{"name":"a"}');
  });
  it("gives the head of a custom resource", () => {
    const encoded = bytes(custom({ name: "a" }));
    expect(text(encoded.subarray(0, locateMetadata(encoded)?.headEnd))).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget",',
    );
  });
  for (const broken of [
    "",
    "[]",
    "{}",
    '{"kind":"Pod"}',
    '{"metadata":null}',
    '{"metadata":{"name":"a"',
    '{"metadata":{"name":',
    '{"kind":"Po',
    '{"kind":{"metadata":{}}',
  ]) {
    it(`finds none in ${broken}`, () => expect(locateMetadata(bytes(broken))).toBeUndefined());
  }
});
