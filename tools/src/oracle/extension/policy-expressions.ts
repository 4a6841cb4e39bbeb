import type { JsonObject } from "../../record/index.js";

/** A policy's own part, and what is asked once it is in force. */
export interface PolicyCase {
  readonly name: string;
  /** Members of the policy's spec beside its match constraints. */
  readonly spec: JsonObject;
  /** Of the binding's spec. @default Deny */
  readonly binding?: JsonObject;
}

const of = (name: string, expression: string, more: JsonObject = {}): PolicyCase => ({
  name,
  spec: { validations: [{ expression, ...more }] },
});

/** Policies that validate: each kind of expression, message, reason, action and failure. */
export const validatingPolicies: readonly PolicyCase[] = [
  of("value", "object.data.a == 'x'"),
  of("message", "object.data.a != 'x'", { message: "a is x" }),
  of("message-expression", "object.data.a == 'y'", { messageExpression: "'a is ' + object.data.a" }),
  of("message-broken", "object.data.a == 'y'", { messageExpression: "object.data.missing", message: "fallback" }),
  of("message-lines", "false", { messageExpression: "'a\\nb'" }),
  of("forbidden", "false", { reason: "Forbidden" }),
  of("unauthorized", "false", { reason: "Unauthorized" }),
  of("too-large", "false", { reason: "RequestEntityTooLarge", message: "too large" }),
  of("invalid", "has(object.data.b)", { reason: "Invalid" }),
  of("operation", "request.operation == 'UPDATE'"),
  of("user", "request.userInfo.groups.exists(g, g == 'system:masters')"),
  of(
    "request",
    "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.name.startsWith('c')",
  ),
  of("dry-run", "!request.dryRun"),
  of("namespace", "namespaceObject.metadata.labels['team'] == 'blue'"),
  of("namespace-name", "namespaceObject.metadata.name.endsWith('ing')"),
  of("old", "oldObject == null || oldObject.data.a == object.data.a", { message: "a stays" }),
  of("division", "1 / (object.data.size() - 2) > 0"),
  of("missing", "object.data.missing == 'x'"),
  of("optional", "object.data.?missing.orValue('x') == 'x'"),
  of("quantity", "quantity(object.data.q).isLessThan(quantity('1Gi'))"),
  of("authorizer", "authorizer.group('').resource('pods').namespace('default').check('create').allowed()"),
  of("authorizer-path", "authorizer.path('/healthz').check('get').allowed()"),
  of(
    "service-account",
    "authorizer.serviceAccount('default', 'x').group('').resource('pods').check('get').reason() == ''",
  ),
  of("regex", "object.data.a.matches('^[a-z]+$')"),
  of("comprehension", "object.data.all(k, v, k.size() < 4 && v.size() < 20)"),
  of("many", "[1,2,3].map(i, i * 2).sum() == 12 && sets.contains([1,2], [2])"),
  of("labels", "object.metadata.labels.size() == 1"),
  {
    name: "several",
    spec: {
      validations: [
        { expression: "object.data.a == 'x'" },
        { expression: "object.data.b == 'y'", message: "b" },
        { expression: "false" },
      ],
    },
  },
  {
    name: "variables",
    spec: {
      variables: [
        { name: "a", expression: "object.data.a" },
        { name: "long", expression: "variables.a.size() > 3" },
      ],
      validations: [{ expression: "!variables.long", messageExpression: "'too long: ' + variables.a" }],
    },
  },
  {
    name: "variable-broken",
    spec: {
      variables: [{ name: "a", expression: "object.data.missing" }],
      validations: [{ expression: "variables.a == 'x'" }],
    },
  },
  {
    name: "conditions",
    spec: {
      matchConditions: [{ name: "only-x", expression: "object.data.a == 'x'" }],
      validations: [{ expression: "false", message: "x is refused" }],
    },
  },
  {
    name: "condition-broken",
    spec: {
      matchConditions: [{ name: "broken", expression: "object.data.missing == 'x'" }],
      validations: [{ expression: "false" }],
    },
  },
  {
    name: "condition-ignored",
    spec: {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "broken", expression: "object.data.missing == 'x'" }],
      validations: [{ expression: "false" }],
    },
  },
  { name: "ignored", spec: { failurePolicy: "Ignore", validations: [{ expression: "object.data.missing == 'x'" }] } },
  {
    name: "warned",
    spec: { validations: [{ expression: "false", message: "careful" }] },
    binding: { validationActions: ["Warn"] },
  },
  {
    name: "audited",
    spec: {
      validations: [{ expression: "false" }],
      auditAnnotations: [{ key: "seen", valueExpression: "'a is ' + object.data.a" }],
    },
    binding: { validationActions: ["Audit"] },
  },
  {
    name: "denied-and-audited",
    spec: { validations: [{ expression: "object.data.a == 'x'" }] },
    binding: { validationActions: ["Deny", "Audit"] },
  },
  {
    name: "params",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [
        { expression: "object.data.a == params.data.wanted", messageExpression: "'want ' + params.data.wanted" },
      ],
    },
    binding: { paramRef: { name: "params", namespace: "oracle-validating", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "params-selected",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "object.data.a == params.data.wanted" }],
    },
    binding: { paramRef: { selector: { matchLabels: { role: "params" } }, parameterNotFoundAction: "Deny" } },
  },
  {
    name: "params-missing",
    spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "true" }] },
    binding: { paramRef: { name: "nowhere", namespace: "oracle-validating", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "params-allowed",
    spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "false" }] },
    binding: { paramRef: { name: "nowhere", namespace: "oracle-validating", parameterNotFoundAction: "Allow" } },
  },
  { name: "cost", spec: { validations: [{ expression: "range(1000).all(a, range(1000).all(b, a + b >= 0))" }] } },
];

const change = (applied: string): JsonObject => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression: applied },
});
const patch = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });

/** Policies that change what is written. */
export const mutatingPolicies: readonly PolicyCase[] = [
  { name: "apply", spec: { mutations: [change("Object{data: {'added': 'yes'}}")] } },
  {
    name: "apply-label",
    spec: {
      mutations: [
        change(
          "Object{metadata: Object.metadata{labels: {'by': request.userInfo.username.size() > 0 ? 'somebody' : 'nobody'}}}",
        ),
      ],
    },
  },
  { name: "apply-wrong", spec: { mutations: [change("Object{data: {'added': object.data.missing}}")] } },
  { name: "apply-atomic", spec: { mutations: [change("Object{immutable: true}")] } },
  { name: "patch", spec: { mutations: [patch("[JSONPatch{op: 'add', path: '/data/p', value: 'patched'}]")] } },
  {
    name: "patch-test",
    spec: {
      mutations: [
        patch(
          "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'replace', path: '/data/a', value: 'z'}]",
        ),
      ],
    },
  },
  {
    name: "patch-escaped",
    spec: {
      mutations: [
        patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'v'}]"),
      ],
    },
  },
  { name: "patch-missing", spec: { mutations: [patch("[JSONPatch{op: 'remove', path: '/data/nothing'}]")] } },
  { name: "patch-empty", spec: { mutations: [patch("[]")] } },
  {
    name: "patch-conditional",
    spec: { mutations: [patch("has(object.data.b) ? [JSONPatch{op: 'remove', path: '/data/b'}] : []")] },
  },
  {
    name: "both",
    spec: {
      mutations: [
        change("Object{data: {'one': '1'}}"),
        patch("[JSONPatch{op: 'add', path: '/data/two', value: object.data.one + '2'}]"),
      ],
    },
  },
  {
    name: "mutate-conditions",
    spec: {
      matchConditions: [{ name: "x", expression: "object.data.a == 'x'" }],
      mutations: [change("Object{data: {'was': 'x'}}")],
    },
  },
  {
    name: "mutate-variables",
    spec: {
      variables: [{ name: "v", expression: "object.data.a + '!'" }],
      mutations: [change("Object{data: {'v': variables.v}}")],
    },
  },
  {
    name: "mutate-ignored",
    spec: { failurePolicy: "Ignore", mutations: [patch("[JSONPatch{op: 'remove', path: '/data/nothing'}]")] },
  },
  {
    name: "mutate-again",
    spec: {
      reinvocationPolicy: "IfNeeded",
      mutations: [patch("[JSONPatch{op: 'add', path: '/data/count', value: object.data.?count.orValue('') + 'i'}]")],
    },
  },
];

/** Expressions that no policy may have, or only just. */
export const refusedExpressions: readonly string[] = [
  "",
  "   ",
  "object.data.a ==",
  "1 + 'a'",
  "object.data.a",
  "unknown == 1",
  "variables.missing == 1",
  "params.data.a == 'x'",
  "object.foo() == 1",
  "'a'.matches('(')",
  "request.bogus == 'x'",
  "request.name.size()",
  "namespaceObject.metadata.bogus == 'x'",
  "namespaceObject.data == {}",
  "authorizer.bogus()",
  "authorizer.group('').resource('pods')",
  "oldObject.spec.replicas > 1",
  "object == oldObject",
  "[1, 'a'].size() == 2",
  "dyn(object).x == 1",
  "semver('1.2').major() == 1",
  "cidr('10.0.0.0/8').containsIP('10.0.0.1')",
  "ip('::1').family() == 6",
  "format.named('dns1123Label').hasValue()",
  "object.data.exists(k, k)",
  "has(object)",
  "has(object.metadata.name)",
  "true ? 1 : 'x'",
  "string(object) == ''",
  "timestamp('2026-01-01T00:00:00Z') < timestamp('now')",
  "duration('1h') + 1 > duration('1m')",
  "object.metadata.name in {'a': 1}",
  "self.x == 1",
  "optional.of(1).hasValue()",
  "x".repeat(200),
];
