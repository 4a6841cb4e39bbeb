import type { AnyKind } from "@coxswain/kinds";
import { configMapKind } from "@coxswain/kinds/core/config-map";
import { podKind } from "@coxswain/kinds/core/pod";
import { describe, expect, it } from "vitest";
import { createEntryReader, type StoredObject } from "./entry-reader.js";

const managed = `"managedFields":[{"manager":"a","fieldsV1":{"f:metadata":{"f:labels":{"f:b":{}}}}}]`;
const labels = `"labels":{"__proto__":"p","a":"ü"}`;
const pod = (metadata: string): string =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{${metadata}},"spec":{"nodeName":"n1","containers":[]},"status":{"phase":"Running"}}`;
const configMap = (metadata: string): string =>
  `{"kind":"ConfigMap","apiVersion":"v1","metadata":{${metadata}},"data":{"metadata":"{"}}`;

const cases: readonly { name: string; kind: AnyKind; text: string }[] = [
  { name: "a pod with managed fields", kind: podKind, text: pod(`"name":"p","namespace":"n",${labels},${managed}`) },
  { name: "a pod without", kind: podKind, text: pod(`"name":"p","namespace":"n",${labels}`) },
  {
    name: "an object without fields to select by",
    kind: configMapKind,
    text: configMap(`"name":"c","namespace":"n",${labels},${managed}`),
  },
  { name: "one without managed fields", kind: configMapKind, text: configMap(`"name":"c","namespace":"n"`) },
  { name: "one with nothing but managed fields", kind: configMapKind, text: configMap(managed) },
  { name: "managed fields before others", kind: podKind, text: pod(`${managed},"name":"p"`) },
];

describe("what is read from stored bytes", () => {
  for (const { name, kind, text } of cases) {
    it(`is what the object contains: ${name}`, () => {
      const value = new TextEncoder().encode(text);
      const record = { key: "k", value, revision: 1, createRevision: 1, version: 1 };
      const expecting = createEntryReader(kind);
      expecting.expect(value, JSON.parse(text) as StoredObject);
      const read = createEntryReader(kind).read(record);
      expect(read).toEqual(expecting.read(record));
      expect(Object.keys(read.labels ?? {})).toEqual(text.includes(labels) ? ["__proto__", "a"] : []);
    });
  }
});
