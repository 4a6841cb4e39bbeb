import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "vitest";
import { readRecorded } from "../recorded-documents.js";
import type { OpenAPIV3Document } from "./document.js";
import { openAPIV3Protobuf } from "./protobuf.js";

// Printed by a throw-away Go program that gave these documents to openapi_v3.ParseDocument of gnostic-models v0.7.0 and proto.Marshal.
const cases = [
  {
    name: "api/v1",
    document: () => readRecorded<Record<string, OpenAPIV3Document>>("openapi-v3")["api/v1"]!,
    size: 334073,
    hash: "bbdf0ad36f2ae37ca5829457bb4f7cdff2d22dd905eeec2d82a5d4a039ec2ca7",
  },
  {
    name: "a custom resource",
    document: () =>
      readRecorded<{ v3: Record<string, OpenAPIV3Document> }>("custom-resource").v3["apis/stable.example.com/v1"]!,
    size: 22269,
    hash: "7f91df477c30e5cba2f6ee3df47c9725bf447e40f080955a6317eba76d4ba4cc",
  },
];

describe("the protobuf form of OpenAPI 3 is byte for byte what upstream's library makes of a recorded document", () => {
  for (const c of cases) {
    it(c.name, () => {
      const document = c.document();
      // The library refuses answers without a description, and recordings have none.
      for (const path of Object.values(document.paths) as Record<
        string,
        { responses?: Record<string, { description?: string }> }
      >[]) {
        for (const operation of Object.values(path)) {
          for (const answer of Object.values(operation.responses ?? {})) answer.description = "answer";
        }
      }
      const bytes = openAPIV3Protobuf(document);
      assert.equal(bytes.length, c.size);
      assert.equal(createHash("sha256").update(bytes).digest("hex"), c.hash);
    });
  }
});
