import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { customKind } from "@coxswain/kinds/custom-resources";
import { describe, it } from "vitest";
import { withoutProse } from "../recorded-documents.js";
import { servedResource } from "../served-resource.js";
import { customSchemas } from "./custom-schemas.js";
import type { Dialect } from "./openapi-schema.js";

// The answers in testdata/documents/custom-schemas.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources, without prose.
interface Case {
  name: string;
  definition: CustomResourceDefinition & KubernetesObject;
  answer: { v2: Record<string, unknown>; v3: Record<string, unknown> };
}
const file = new URL("../../../testdata/documents/custom-schemas.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];
const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();
const describeNothing = (): undefined => undefined;
const v3: Dialect = { v3: true, refPrefix: "#/components/schemas/", describe: describeNothing };
const v2: Dialect = { v3: false, refPrefix: "#/definitions/", describe: describeNothing };

describe("schemas of custom resources are published as upstream does", () => {
  for (const { name, definition, answer } of cases) {
    const { spec } = definition;
    const named = { ...definition, status: { acceptedNames: spec.names } };
    const resources = (spec.versions ?? []).map((version) => servedResource(customKind(named, version, { sha256 })));
    const published = (dialect: Dialect): unknown =>
      withoutProse(Object.fromEntries(customSchemas(resources, dialect).schemas));
    it(`OpenAPI 3: ${name}`, () => assert.deepEqual(published(v3), withoutProse(answer.v3)));
    it(`OpenAPI 2: ${name}`, () => assert.deepEqual(published(v2), withoutProse(answer.v2)));
  }
});
