import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  bindingOf,
  configMap,
  configMapPath,
  policyOf,
  policyPath,
  startPolicyServer,
} from "../policies.test.support.js";

const anything = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
};

interface Row {
  readonly name: string;
  readonly spec: object;
  readonly binding?: object;
  /** Made before the request, by path. */
  readonly given?: Readonly<Record<string, object>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** What the request ends with: 201, or the refusal. */
  readonly answer: 201 | { readonly code: number; readonly reason: string; readonly message: string };
  readonly warnings?: readonly string[];
}

const denied = (why: string, { code = 422, reason = "Invalid" } = {}): Row["answer"] => ({
  code,
  reason,
  message: `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`,
});

const rows: readonly Row[] = [
  { name: "a true expression admits", spec: { validations: [{ expression: "object.data.a == '1'" }] }, answer: 201 },
  {
    name: "a false one denies and shows itself",
    spec: { validations: [{ expression: "object.data.a == '2'" }] },
    answer: denied("failed expression: object.data.a == '2'"),
  },
  {
    name: "a message and a reason",
    spec: { validations: [{ expression: "false", message: " too bad ", reason: "Forbidden" }] },
    answer: denied("too bad", { code: 403, reason: "Forbidden" }),
  },
  {
    name: "a message that is computed",
    spec: { validations: [{ expression: "false", message: "m", messageExpression: "'a is ' + object.data.a" }] },
    answer: denied("a is 1"),
  },
  {
    name: "a message expression that fails falls back to the message",
    spec: { validations: [{ expression: "false", message: "m", messageExpression: "string(object.data.none)" }] },
    answer: denied("m"),
  },
  {
    name: "a message of several lines falls back to the message",
    spec: { validations: [{ expression: "false", message: "m", messageExpression: "'a\\nb'" }] },
    answer: denied("m"),
  },
  {
    name: "an error denies by default",
    spec: { validations: [{ expression: "object.data.none == ''" }] },
    answer: denied("expression 'object.data.none == ''' resulted in error: no such key: none"),
  },
  {
    name: "an error is ignored where the failure policy is Ignore",
    spec: { failurePolicy: "Ignore", validations: [{ expression: "object.data.none == ''" }] },
    answer: 201,
  },
  {
    name: "a false expression denies although errors are ignored",
    spec: { failurePolicy: "Ignore", validations: [{ expression: "false", message: "m" }] },
    answer: denied("m"),
  },
  {
    name: "variables",
    spec: {
      variables: [
        { name: "a", expression: "object.data.a" },
        { name: "b", expression: "variables.a + 'x'" },
      ],
      validations: [{ expression: "variables.b == '1'", messageExpression: "'b is ' + variables.b" }],
    },
    answer: denied("b is 1x"),
  },
  {
    name: "a match condition that is false leaves the policy out",
    spec: {
      matchConditions: [{ name: "m", expression: "object.data.a == '2'" }],
      validations: [{ expression: "false" }],
    },
    answer: 201,
  },
  {
    name: "a match condition that fails denies",
    spec: {
      matchConditions: [{ name: "m", expression: "object.data.b == '2'" }],
      validations: [{ expression: "true" }],
    },
    answer: denied("expression 'object.data.b == '2'' resulted in error: no such key: b"),
  },
  {
    name: "the request",
    spec: {
      validations: [
        {
          expression:
            "!(request.operation == 'CREATE' && request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.namespace == 'default' && request.name == 'c' && request.userInfo.username == 'jane' && 'system:masters' in request.userInfo.groups && !request.dryRun && request.options.kind == 'CreateOptions' && !has(request.subResource) && oldObject == null)",
          message: "as expected",
        },
      ],
    },
    answer: denied("as expected"),
  },
  {
    name: "the namespace of the object",
    spec: {
      validations: [
        { expression: "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] != 'default'", message: "m" },
      ],
    },
    answer: denied("m"),
  },
  {
    name: "access checks",
    spec: {
      validations: [
        {
          expression:
            "authorizer.requestResource.check('create').allowed() && authorizer.serviceAccount('n', 'sa').group('').resource('pods').check('get').allowed()",
          message: "m",
        },
      ],
    },
    answer: denied("m"),
  },
  {
    name: "warnings do not deny",
    spec: { validations: [{ expression: "false", message: "careful" }] },
    binding: { validationActions: ["Warn", "Audit"] },
    answer: 201,
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful"],
  },
  {
    name: "a binding for other objects",
    spec: { validations: [{ expression: "false" }] },
    binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } },
    answer: 201,
  },
  {
    name: "a binding for these objects",
    spec: { validations: [{ expression: "false", message: "m" }] },
    binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } },
    labels: { a: "b" },
    answer: denied("m"),
  },
  {
    name: "a binding for other namespaces",
    spec: { validations: [{ expression: "false" }] },
    binding: { matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } },
    answer: 201,
  },
  {
    name: "rules for other names",
    spec: {
      matchConstraints: { resourceRules: [{ ...anything.resourceRules[0], resourceNames: ["d"] }] },
      validations: [{ expression: "false" }],
    },
    answer: 201,
  },
  {
    name: "rules that exclude",
    spec: {
      matchConstraints: { ...anything, excludeResourceRules: [{ ...anything.resourceRules[0], resourceNames: ["c"] }] },
      validations: [{ expression: "false" }],
    },
    answer: 201,
  },
  {
    name: "parameters by name",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "object.data.a == params.data.a && params.kind == 'ConfigMap'", message: "m" }],
    },
    binding: { paramRef: { name: "params", namespace: "default", parameterNotFoundAction: "Deny" } },
    given: { [configMapPath]: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "params" }, data: { a: "2" } } },
    answer: denied("m"),
  },
  {
    name: "parameters that are missing deny where they must be there",
    spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "true" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
    answer: denied(
      "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    ),
  },
  {
    name: "parameters that are missing admit where they may be",
    spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "false" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    answer: 201,
  },
  {
    name: "parameters by label, each of them",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [
        { expression: "params.data.ok == 'yes'", messageExpression: "'because of ' + params.metadata.name" },
      ],
    },
    binding: { paramRef: { selector: { matchLabels: { p: "q" } }, parameterNotFoundAction: "Deny" } },
    given: {
      [configMapPath]: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "labelled", labels: { p: "q" } },
        data: { ok: "no" },
      },
    },
    answer: denied("because of labelled"),
  },
  {
    name: "a kind of parameters that nobody serves",
    spec: { paramKind: { apiVersion: "example.com/v1", kind: "None" }, validations: [{ expression: "true" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    answer: {
      code: 422,
      reason: "Invalid",
      message: `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=None'`,
    },
  },
  {
    name: "an audit annotation that fails denies",
    spec: { auditAnnotations: [{ key: "k", valueExpression: "string(object.data.none)" }] },
    answer: denied("expression 'string(object.data.none)' resulted in error: no such key: none"),
  },
];

const kind = "ValidatingAdmissionPolicy";

describe("ValidatingAdmissionPolicy", () => {
  let server: Awaited<ReturnType<typeof startPolicyServer>>;
  beforeAll(async () => {
    server = await startPolicyServer();
  });
  afterEach(() => server.cleanUp());
  afterAll(() => server.stop());

  async function install(spec: object, binding: object = {}): Promise<void> {
    const made = await server.create(`${policyPath}/validatingadmissionpolicies`, policyOf(kind, spec));
    expect(made).toMatchObject({ status: 201, warnings: [] });
    const bound = bindingOf(`${kind}Binding`, { validationActions: ["Deny"], ...binding });
    expect(await server.create(`${policyPath}/validatingadmissionpolicybindings`, bound)).toMatchObject({
      status: 201,
    });
  }

  for (const { name, spec, binding = {}, given = {}, labels = {}, answer, warnings = [] } of rows)
    it(name, async () => {
      for (const [path, object] of Object.entries(given)) await server.create(path, object);
      await install(spec, binding);
      const seen = await server.create(configMapPath, configMap("c", { a: "1" }, labels));
      if (answer === 201) expect([seen.status, seen.body.message]).toEqual([201, undefined]);
      else expect(seen.body).toMatchObject(answer);
      expect(seen.warnings).toEqual(warnings);
    });

  it("a refusal names its cause", async () => {
    await install({ validations: [{ expression: "false", message: "m" }] });
    const { body } = await server.create(configMapPath, configMap("c"));
    expect(body.details).toEqual({
      name: "c",
      kind: "configmaps",
      causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: m" }],
    });
  });

  it("a deletion has an old object only", async () => {
    await server.create(configMapPath, configMap("c", { a: "1" }));
    await install({
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "object != null || oldObject.data.a != '1'", message: "m" }],
    });
    expect((await server.send("DELETE", `${configMapPath}/c`)).body.message).toMatch(/denied request: m$/);
  });

  it("a rule for another version sees the object in that version", async () => {
    await install({
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["events"] }],
      },
      validations: [{ expression: "object.apiVersion != 'v1' || object.message != 'hello'", message: "m" }],
    });
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e", namespace: "default" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/c",
      reportingInstance: "i",
      action: "a",
      reason: "r",
      type: "Normal",
      note: "hello",
      regarding: { kind: "Pod", namespace: "default", name: "x" },
    };
    const seen = await server.create("/apis/events.k8s.io/v1/namespaces/default/events", event);
    expect(seen.body.message).toMatch(/denied request: m$/);
  });

  it("parameters may be of a custom kind", async () => {
    await server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "limits.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "limits", kind: "Limit" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", properties: { most: { type: "integer" } } } },
              },
            },
          },
        ],
      },
    });
    const limit = { apiVersion: "example.com/v1", kind: "Limit", metadata: { name: "l" }, spec: { most: 1 } };
    await vi.waitFor(async () =>
      expect(await server.create("/apis/example.com/v1/limits", limit)).toMatchObject({ status: 201 }),
    );
    await install(
      {
        paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
        validations: [
          {
            expression: "size(object.data) <= params.spec.most",
            messageExpression: "'at most ' + string(params.spec.most)",
          },
        ],
      },
      { paramRef: { name: "l", parameterNotFoundAction: "Deny" } },
    );
    expect(await server.create(configMapPath, configMap("c", { a: "1" }))).toMatchObject({ status: 201 });
    const { body } = await server.create(configMapPath, configMap("d", { a: "1", b: "2" }));
    expect(body.message).toMatch(/denied request: at most 1$/);
  });

  it("a policy without a binding does nothing", async () => {
    const spec = { validations: [{ expression: "false" }] };
    await server.create(`${policyPath}/validatingadmissionpolicies`, policyOf(kind, spec));
    expect(await server.create(configMapPath, configMap("c"))).toMatchObject({ status: 201 });
  });

  it("a changed policy counts from the next request on", async () => {
    await install({ validations: [{ expression: "false" }] });
    expect(await server.create(configMapPath, configMap("c"))).toMatchObject({ status: 422 });
    await server.send("PATCH", `${policyPath}/validatingadmissionpolicies/p`, {
      spec: { validations: [{ expression: "true" }] },
    });
    expect(await server.create(configMapPath, configMap("c"))).toMatchObject({ status: 201 });
  });

  it("expressions that do not compile are refused in upstream's words", async () => {
    const spec = {
      validations: [{ expression: "object.", messageExpression: "1" }],
      variables: [{ name: "v", expression: "nope" }],
      matchConditions: [{ name: "m", expression: "'text'" }],
      auditAnnotations: [{ key: "k", valueExpression: "1" }],
    };
    const { body } = await server.create(`${policyPath}/validatingadmissionpolicies`, policyOf(kind, spec));
    expect(body.details?.causes.map(({ field, message }) => [field, message.split("\n")[0]])).toEqual([
      ["spec.matchConditions[0].expression", `Invalid value: "'text'": must evaluate to bool but got string`],
      [
        "spec.variables[0].expression",
        `Invalid value: "nope": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')`,
      ],
      [
        "spec.validations[0].expression",
        `Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'`,
      ],
      ["spec.validations[0].messageExpression", `Invalid value: "1": must evaluate to string but got int`],
      [
        "spec.auditAnnotations[0].valueExpression",
        `Invalid value: "1": must evaluate to one of [string null_type] but got int`,
      ],
    ]);
  });
});
