import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "vitest";
import { readRecorded } from "../recorded-documents.js";
import type { OpenAPIV2Document } from "./document.js";
import { openAPIV2Protobuf } from "./protobuf.js";

describe("the protobuf form of OpenAPI 2", () => {
  it("is byte for byte what upstream's library makes of the recorded document", () => {
    const document = readRecorded<OpenAPIV2Document>("openapi-v2");
    // The library refuses answers without a description, and recordings have none.
    for (const path of Object.values(document.paths) as Record<
      string,
      { responses?: Record<string, { description?: string }> }
    >[]) {
      for (const operation of Object.values(path)) {
        for (const answer of Object.values(operation.responses ?? {})) answer.description = "answer";
      }
    }
    const bytes = openAPIV2Protobuf(document);
    // Printed by a throw-away Go program that gave this document to openapi_v2.ParseDocument of gnostic-models v0.7.0 and proto.Marshal.
    assert.equal(bytes.length, 826906);
    assert.equal(
      createHash("sha256").update(bytes).digest("hex"),
      "c3d39f9ee68d245ddbda87e4868132d3cc55a0bdc82969fb8c9cf99cfc97e378",
    );
  });
});
