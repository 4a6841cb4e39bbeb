import { readFileSync } from "node:fs";
import { readStructural } from "@coxswain/apimachinery/structural-schema";
import { describe, expect, it } from "vitest";
import { type Answer, answer } from "../conformance/answer.js";
import { nameTypes } from "./declared-type.js";
import { declaredSizes, declaredTypeProvider } from "./declared-types.js";
import { createBaseEnvironments } from "./environments.js";
import { celLimits } from "./limits.js";
import { withTypeAndObjectMeta } from "./object-meta.js";
import { schemaToType } from "./schema-type.js";
import { schemaToValue } from "./schema-value.js";

// What upstream answers to rules on one resource, whose schema has a bit of everything: tools/answers/cel, `go run . ask`
// with each expression, "environment": "schema", "isRoot": true, and the schema and data of this file.
interface Table {
  readonly schema: unknown;
  readonly self: unknown;
  readonly rows: readonly { readonly expression: string; readonly answer: Answer }[];
}

const table = JSON.parse(readFileSync(new URL("testdata/schema-answers.json", import.meta.url), "utf8")) as Table;

const schema = withTypeAndObjectMeta(readStructural(table.schema));
const declared = schemaToType(schema, { isResourceRoot: true });
if (declared === undefined) throw new Error("the schema has no type");
const self = nameTypes(declared, "selfType");
const options = {
  environment: createBaseEnvironments().forStored.extend({
    variables: { self: self.type },
    providers: [declaredTypeProvider([self])],
  }),
  bindings: new Map([["self", schemaToValue(table.self, schema)]]),
  estimator: declaredSizes(self),
  costLimit: celLimits.perCall,
};

describe("rules on a custom resource: type, value, error, cost and estimate are upstream's", () => {
  for (const row of table.rows) it(row.expression, () => expect(answer(row.expression, options)).toEqual(row.answer));
});
