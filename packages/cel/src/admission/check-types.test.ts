import assert from "node:assert/strict";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { readStructural } from "@coxswain/apimachinery/structural-schema";
import { describe, it } from "vitest";
import { type DeclaredType } from "../kubernetes/declared-type.js";
import { nodeToType } from "../kubernetes/node-type.js";
import { schemaToType } from "../kubernetes/schema-type.js";
import { checkExpressionTypes } from "./check-types.js";

const schema = readStructural({
  type: "object",
  properties: { spec: { type: "object", properties: { replicas: { type: "integer" }, name: { type: "string" } } } },
});
const deployment = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  type: schemaToType(schema, { isResourceRoot: true }) as DeclaredType,
};

const check = (expression: string, variables: Readonly<Record<string, string>> = {}): string[] =>
  checkExpressionTypes(
    {
      validations: [{ expression }],
      variables: Object.entries(variables).map(([name, text]) => ({ name, expression: text })),
    },
    { kinds: [deployment] },
  ).map(({ fieldRef, warning }) => `${fieldRef} ${warning.split("\n")[0]}`);

describe("type checks of policies by the schemas of kinds", () => {
  it("finds nothing wrong with what fits", () => assert.deepEqual(check("object.spec.replicas > 1"), []));
  it("finds a field that the kind does not have", () =>
    assert.deepEqual(check("object.foo.replicas > 1"), [
      "spec.validations[0].expression apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'foo'",
    ]));
  it("finds values that cannot be compared", () =>
    assert.deepEqual(check("object.spec.replicas > '1'"), [
      "spec.validations[0].expression apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'",
    ]));
  it("knows the types of variables", () =>
    assert.deepEqual(check("variables.n > 1", { n: "object.spec.name" }), [
      "spec.validations[0].expression apps/v1, Kind=Deployment: ERROR: <input>:1:13: found no matching overload for '_>_' applied to '(string, int)'",
    ]));
  it("reports the same expression for each kind that it does not fit", () => {
    const other = { ...deployment, kind: "Other" };
    const [found] = checkExpressionTypes(
      { validations: [{ expression: "object.foo == 1" }], variables: [] },
      { kinds: [deployment, other] },
    );
    assert.equal(found?.warning.match(/Kind=\w+/g)?.join(), "Kind=Deployment,Kind=Other");
  });
  it("takes parameters of an unknown type for anything", () =>
    assert.deepEqual(
      checkExpressionTypes(
        { validations: [{ expression: "params.a.b == object.spec.replicas" }], variables: [] },
        { kinds: [deployment], params: { kind: "None", type: undefined } },
      ),
      [],
    ));
});

describe("types of built-in kinds", () => {
  const text = createNode(typeCodes.string);
  it("has the simple ones", () => assert.equal(nodeToType(text)?.type.name, "string"));
  it("leaves quantities out, which have no type in OpenAPI v3", () =>
    assert.equal(nodeToType(createNode(typeCodes.quantity)), undefined));
});
