import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { createAdmissionCompiler, type ExpressionUse } from "./policy-compiler.js";

const { forPolicy, plain } = createAdmissionCompiler();

interface Row {
  readonly name: string;
  readonly use?: ExpressionUse;
  readonly expression: string;
  readonly params?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  /** The start of the error; undefined: it compiles. */
  readonly error?: string;
}

const rows: readonly Row[] = [
  { name: "the object is dyn", expression: "object.spec.replicas < 5" },
  { name: "the request has types", expression: "request.userInfo.groups.exists(g, g == 'a') && request.dryRun" },
  {
    name: "an unknown field of the request is refused",
    expression: "request.nosuch == ''",
    error: "compilation failed: ERROR: <input>:1:8: undefined field 'nosuch'",
  },
  { name: "the namespace has types", expression: "namespaceObject.metadata.labels['env'] == 'x'" },
  { name: "params are there where there is a paramKind", expression: "params.x == 1", params: true },
  {
    name: "params are not there without a paramKind",
    expression: "params.x == 1",
    error: "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
  },
  {
    name: "an access check of a resource",
    expression: "authorizer.group('apps').resource('deployments').namespace('n').name('x').check('create').allowed()",
  },
  { name: "an access check of the request's resource", expression: "authorizer.requestResource.check('x').allowed()" },
  {
    name: "messages have no authorizer",
    use: "message",
    expression: "authorizer.path('/x').check('get').reason()",
    error: "compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')",
  },
  { name: "a validation is a bool", expression: "'text'", error: "must evaluate to bool but got string" },
  { name: "dyn is no bool", expression: "object.spec.flag", error: "must evaluate to bool but got dyn" },
  { name: "an annotation may be null", use: "auditAnnotation", expression: "null" },
  {
    name: "an annotation is a string or null",
    use: "auditAnnotation",
    expression: "[1]",
    error: "must evaluate to one of [string null_type] but got list(int)",
  },
  { name: "a variable keeps its type", expression: "variables.v", variables: { v: "1 == 1" } },
  {
    name: "a variable of another type is found out",
    expression: "variables.v",
    variables: { v: "'a'" },
    error: "must evaluate to bool but got string",
  },
  { name: "a variable that is an object is dyn", expression: "variables.v.x == 1", variables: { v: "object.spec" } },
  { name: "variables see the ones before", expression: "variables.b", variables: { a: "1", b: "variables.a == 1" } },
  {
    name: "a variable that does not exist",
    expression: "variables.x",
    error: "compilation failed: ERROR: <input>:1:10: undefined field 'x'",
  },
  { name: "an apply configuration", use: "applyConfiguration", expression: "Object{spec: Object.spec{replicas: 1}}" },
  {
    name: "an apply configuration of another type",
    use: "applyConfiguration",
    expression: "Object.spec{}",
    error: "must evaluate to Object but got Object.spec",
  },
  {
    name: "a JSON patch",
    use: "jsonPatch",
    expression: "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'x'}]",
  },
  {
    name: "a JSON patch with a field that does not exist",
    use: "jsonPatch",
    expression: "[JSONPatch{operation: 'add'}]",
    error:
      "compilation failed: ERROR: <input>:1:21: expected type of field 'operation' is '' but provided type is 'string'",
  },
  { name: "patch types are for patches only", expression: "Object{} == Object{}", error: "compilation failed: ERROR" },
];

describe("expressions of admission policies", () => {
  for (const { name, use = "validation", expression, params = false, variables = {}, error } of rows)
    it(name, () => {
      const compiler = forPolicy();
      for (const [variable, text] of Object.entries(variables))
        assert.equal(compiler.addVariable(variable, text, { params, isStored: false }).error, undefined);
      const { error: actual } = compiler.compile(use, expression, { params, isStored: false });
      if (error === undefined) assert.equal(actual, undefined);
      else assert.ok(actual?.detail.startsWith(error), actual?.detail ?? "it compiles");
    });

  it("match conditions of webhooks have no variables", () => {
    const { error } = plain.compile("matchCondition", "variables.x", { params: false, isStored: false });
    assert.match(error?.detail ?? "", /undeclared reference to 'variables'/);
  });
});
