import { describe, expect, it } from "vitest";
import { builtIn } from "../index.js";
import { digestOf } from "./digest.js";
import {
  formatRecord,
  isInDoubt,
  isSameMaking,
  readRecord,
  recordKey,
  recordOf,
  type SourceRecord,
} from "./source-record.js";

/** `a/1/10`: uid, generation and version, with commas between them. */
const record = (text: string, digest = ""): SourceRecord =>
  readRecord({ metadata: { annotations: { key: digest === "" ? text : `${text} ${digest}` } } }, "key") as SourceRecord;

describe("what is there may be newer", () => {
  const rows: [name: string, recorded: string, ours: string, inDoubt: boolean][] = [
    ["made from the same version: no", "a/1/10", "a/1/10", false],
    ["made from an older version: no", "a/1/9", "a/1/10", false],
    ["made from a newer version: yes", "a/2/11", "a/1/10", true],
    ["versions are numbers, not texts", "a/1/9", "a/2/10", false],
    ["beyond 2^53, too", "a/1/9007199254740993", "a/1/9007199254740992", true],
    ["made from an object that was deleted and created again: yes", "b/1/5", "a/1/10", true],
    ["one of two sources is newer: yes", "a/1/10,b/1/20", "a/1/11,b/1/19", true],
    ["both sources are older: no", "a/1/10,b/1/20", "a/1/11,b/1/21", false],
    ["a source was added: no", "a/1/10", "a/1/10,b/1/20", false],
    ["a source was dropped: yes, it may have been added since", "a/1/10,b/1/20", "a/1/10", true],
    ["nothing that can be read was recorded: no", "?", "a/1/10", false],
  ];
  for (const [name, recorded, ours, inDoubt] of rows)
    it(name, () => expect(isInDoubt(record(recorded), record(ours))).toBe(inDoubt));
});

describe("nothing needs to be recorded again", () => {
  const rows: [name: string, recorded: string, ours: string, same: boolean][] = [
    ["for a newer version of the same generation", "a/1/10", "a/1/15", true],
    ["but for another generation", "a/1/10", "a/2/15", false],
    ["but for another version of a kind without generations", "a/0/10", "a/0/15", false],
    ["but for another object", "a/1/10", "b/1/10", false],
    ["but for one source more", "a/1/10", "a/1/10,b/1/1", false],
  ];
  for (const [name, recorded, ours, same] of rows)
    it(name, () => expect(isSameMaking(record(recorded), record(ours))).toBe(same));
  it("but for another configuration", () =>
    expect(isSameMaking(record("a/1/10", "x"), record("a/1/10", "y"))).toBe(false));
});

describe("a record", () => {
  const { configmaps } = builtIn.core.v1;
  const source = (uid: string, resourceVersion?: string) => ({
    resource: configmaps,
    object: { metadata: { name: "s", uid, resourceVersion, generation: 3 } },
  });
  it("is sorted, and read as it was written", () => {
    const made = recordOf([source("b", "2"), source("a", "1")], "digest");
    expect(formatRecord(made)).toBe("a/3/1,b/3/2 digest");
    expect(record("a/3/1,b/3/2", "digest")).toEqual(made);
  });
  it("is not made of an object that was not read", () =>
    expect(() => recordOf([source("a")])).toThrow("the source ConfigMap s has no uid or resourceVersion"));
  const keys: [manager: string, key: string][] = [
    ["video-operator", "made-from.coxswain.dev/video-operator"],
    ["video operator/2", `made-from.coxswain.dev/${digestOf("video operator/2")}`],
    ["m".repeat(64), `made-from.coxswain.dev/${digestOf("m".repeat(64))}`],
  ];
  for (const [manager, key] of keys)
    it(`of the manager ${manager} is in ${key}`, () => expect(recordKey(manager)).toBe(key));
});

describe("digests", () => {
  it("differ for texts that differ little", () => {
    const texts = [
      "",
      "a",
      "b",
      "aa",
      "ab",
      "ba",
      "\u0000",
      "\u0000\u0000",
      ...Array.from({ length: 2000 }, (_, n) => `{"replicas":${n}}`),
    ];
    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
  });
});
