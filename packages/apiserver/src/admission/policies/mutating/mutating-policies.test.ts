import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  bindingOf,
  configMap,
  configMapPath,
  policyOf,
  policyPath,
  startPolicyServer,
} from "../policies.test.support.js";

const kind = "MutatingAdmissionPolicy";
const apply = (expression: string): object => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
const patch = (expression: string): object => ({ patchType: "JSONPatch", jsonPatch: { expression } });

interface Row {
  readonly name: string;
  readonly spec: object;
  readonly binding?: object;
  /** Members of the ConfigMap afterwards, or of the refusal. */
  readonly answer: object;
}

const refused = (why: string): object => ({
  code: 403,
  reason: "Invalid",
  message: `policy 'p' with binding 'b' denied request: ${why}`,
});

const rows: readonly Row[] = [
  {
    name: "a configuration is merged",
    spec: {
      mutations: [
        apply(
          "Object{metadata: Object.metadata{labels: Object.metadata.labels{added: 'x'}}, data: {'b': object.data.a}}",
        ),
      ],
    },
    answer: { metadata: { labels: { own: "y", added: "x" } }, data: { a: "1", b: "1" } },
  },
  {
    name: "a JSON patch is applied",
    spec: {
      mutations: [
        patch(
          "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/x~y'.replace('~y', '')), value: 'z'}, JSONPatch{op: 'replace', path: '/data/a', value: '2'}]",
        ),
      ],
    },
    answer: { metadata: { labels: { own: "y", "example.com/x": "z" } }, data: { a: "2" } },
  },
  {
    name: "mutations see what those before them changed",
    spec: {
      mutations: [apply("Object{data: {'b': 'x'}}"), apply("Object{data: {'c': object.data.b + object.data.a}}")],
    },
    answer: { data: { a: "1", b: "x", c: "x1" } },
  },
  {
    name: "variables and match conditions",
    spec: {
      variables: [{ name: "a", expression: "object.data.a + '!'" }],
      matchConditions: [{ name: "m", expression: "variables.a == '1!'" }],
      mutations: [patch("[JSONPatch{op: 'replace', path: '/data/a', value: variables.a}]")],
    },
    answer: refusedAtCreation(),
  },
  {
    name: "a match condition that is false leaves the policy out",
    spec: {
      matchConditions: [{ name: "m", expression: "request.name != 'c'" }],
      mutations: [apply("Object{data: {'b': 'x'}}")],
    },
    answer: { data: { a: "1" } },
  },
  {
    name: "a patch whose test fails changes nothing",
    spec: {
      mutations: [
        patch("[JSONPatch{op: 'test', path: '/data/a', value: '2'}, JSONPatch{op: 'remove', path: '/data/a'}]"),
      ],
    },
    answer: { data: { a: "1" } },
  },
  {
    name: "a patch that does not apply refuses the request",
    spec: { mutations: [patch("[JSONPatch{op: 'remove', path: '/data/none'}]")] },
    answer: refused(
      "JSON Patch: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
    ),
  },
  {
    name: "a failure is ignored where the failure policy is Ignore",
    spec: { failurePolicy: "Ignore", mutations: [patch("[JSONPatch{op: 'remove', path: '/data/none'}]")] },
    answer: { data: { a: "1" } },
  },
  {
    name: "an expression that fails refuses the request",
    spec: { mutations: [apply("Object{data: {'b': string(object.data.none)}}")] },
    answer: refused("expression 'Object{data: {'b': string(object.data.none)}}' resulted in error: no such key: none"),
  },
  {
    name: "a type name at another place is refused",
    spec: { mutations: [apply("Object{metadata: Object.spec{}}")] },
    answer: refused(
      'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
    ),
  },
  {
    name: "a field that does not exist is refused",
    spec: { mutations: [apply("Object{spec: Object.spec{x: 1}}")] },
    answer: refused(
      "error applying patch: failed to convert patch object to typed object: .spec: field not declared in schema",
    ),
  },
  {
    name: "parameters that are missing",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      mutations: [apply("Object{data: {'b': 'x'}}")],
    },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
    answer: {
      reason: "Forbidden",
      message:
        "policy 'p' with binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    },
  },
];

/** Match conditions of a new policy cannot name variables. */
function refusedAtCreation(): object {
  return { message: expect.stringContaining("undeclared reference to 'variables'") };
}

describe(kind, () => {
  let server: Awaited<ReturnType<typeof startPolicyServer>>;
  beforeAll(async () => {
    server = await startPolicyServer();
  });
  afterEach(() => server.cleanUp());
  afterAll(() => server.stop());

  async function install(spec: object, { binding = {}, name = "p" } = {}) {
    const policy = policyOf(kind, { reinvocationPolicy: "Never", ...spec }, name);
    const made = await server.create(`${policyPath}/mutatingadmissionpolicies`, policy);
    if (made.status !== 201) return made;
    const bound = bindingOf(`${kind}Binding`, binding, { policy: name, name: name === "p" ? "b" : `b-${name}` });
    expect(await server.create(`${policyPath}/mutatingadmissionpolicybindings`, bound)).toMatchObject({ status: 201 });
    return undefined;
  }

  for (const { name, spec, binding = {}, answer } of rows)
    it(name, async () => {
      const failed = await install(spec, { binding });
      const seen = failed ?? (await server.create(configMapPath, configMap("c", { a: "1" }, { own: "y" })));
      expect(seen.body).toMatchObject(answer);
      expect(seen.warnings).toEqual([]);
    });

  it("lists with keys are merged by them", async () => {
    await install({
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
        ],
      },
      mutations: [
        apply(
          "Object{spec: Object.spec{replicas: 3, template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'side', image: 'side'}, Object.spec.template.spec.containers{name: 'c', imagePullPolicy: 'Always'}]}}}}",
        ),
      ],
    });
    const { body } = await server.create("/apis/apps/v1/namespaces/default/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "app" }] } },
      },
    });
    const { spec } = body as unknown as {
      readonly spec: { replicas: number; template: { spec: { containers: Record<string, string>[] } } };
    };
    expect(spec.replicas).toBe(3);
    expect(spec.template.spec.containers.map((c) => [c.name, c.image, c.imagePullPolicy])).toEqual([
      ["side", "side", "Always"],
      ["c", "app", "Always"],
    ]);
  });

  it("atomic lists cannot be part of a configuration", async () => {
    await install({
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      mutations: [apply("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', args: ['x']}]}}")],
    });
    const { body } = await server.create("/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "x" },
      spec: { containers: [{ name: "c", image: "app" }] },
    });
    expect(body.message).toBe(
      "policy 'p' with binding 'b' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args",
    );
  });

  it("a policy runs again when a later one changed the object, if it wants to", async () => {
    const count = (key: string): object =>
      patch(
        `[JSONPatch{op: 'add', path: '/data/${key}', value: (has(object.data.${key}) ? object.data.${key} : '') + 'x' + (has(object.data.z) ? 'z' : '')}]`,
      );
    await install({ reinvocationPolicy: "IfNeeded", mutations: [count("first")] }, { name: "a" });
    await install({ reinvocationPolicy: "Never", mutations: [count("second")] }, { name: "m" });
    await install({ reinvocationPolicy: "Never", mutations: [apply("Object{data: {'z': 'z'}}")] }, { name: "z" });
    const { body } = await server.create(configMapPath, configMap("c", { a: "1" }));
    expect(body.data).toEqual({ a: "1", first: "xxz", second: "x", z: "z" });
  });

  it("the last policy runs again after its own change, if it wants to", async () => {
    const count = "[JSONPatch{op: 'add', path: '/data/n', value: (has(object.data.n) ? object.data.n : '') + 'x'}]";
    await install({ reinvocationPolicy: "IfNeeded", mutations: [patch(count)] });
    const { body } = await server.create(configMapPath, configMap("c", { a: "1" }));
    expect(body.data).toEqual({ a: "1", n: "xx" });
  });

  it("parameters are applied each in turn", async () => {
    for (const name of ["one", "two"])
      await server.create(configMapPath, configMap(name, { key: name, value: name.toUpperCase() }, { params: "yes" }));
    await install(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        mutations: [patch("[JSONPatch{op: 'add', path: '/data/' + params.data.key, value: params.data.value}]")],
      },
      { binding: { paramRef: { selector: { matchLabels: { params: "yes" } }, parameterNotFoundAction: "Deny" } } },
    );
    const { body } = await server.create(configMapPath, configMap("c", { a: "1" }));
    expect(body.data).toEqual({ a: "1", one: "ONE", two: "TWO" });
  });

  it("a member that no field is for is an error of the server", async () => {
    await install({ mutations: [patch("[JSONPatch{op: 'add', path: '/spec', value: 'x'}]")] });
    const { body } = await server.create(configMapPath, configMap("c", { a: "1" }));
    expect(body).toMatchObject({
      code: 500,
      message: 'Internal error occurred: strict decoding error: unknown field "spec"',
    });
  });
});
