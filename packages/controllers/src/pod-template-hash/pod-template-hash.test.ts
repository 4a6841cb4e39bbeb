import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { revisionHash, templatePatch } from "../controller-revisions/revision-data.js";
import { podTemplateHash } from "./pod-template-hash.js";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8"));

// Recorded from upstream's libraries by `go run . hashes` in tools/answers/pod-template-hash.
const hashes = read("hashes") as Record<string, { template: string; revision: string }>;
const rows = read("templates") as { name: string; template: object; collisionCount?: number }[];

describe("the hash of a pod template is upstream's", () => {
  for (const { name, template, collisionCount } of rows)
    it(name, () => expect(podTemplateHash(template, collisionCount)).toBe(hashes[name]?.template));
});

describe("the hash of a revision is upstream's", () => {
  // Go writes members of an empty template that no stored one lacks.
  for (const { name, template, collisionCount } of rows.filter((row) => Object.keys(row.template).length > 0))
    it(name, () => {
      const patch = templatePatch(template as Parameters<typeof templatePatch>[0]);
      expect(revisionHash(patch, collisionCount)).toBe(hashes[name]?.revision);
    });
});
