import type { Json, JsonObject } from "../../record/index.js";
import { mutatingPolicies, type PolicyCase, refusedExpressions, validatingPolicies } from "./policy-expressions.js";
import type { Ask, Scene, Story } from "./story.js";

const api = "/apis/admissionregistration.k8s.io/v1";
const namespaceOf = (form: string): string => `oracle-${form}`;
const configMapsOf = (form: string): string => `/api/v1/namespaces/${namespaceOf(form)}/configmaps`;

/** Policies with bindings that are acted on, and policies that are refused. */
export const policyStories = (): Story[] => [
  actingStory("validating", validatingPolicies),
  actingStory("mutating", mutatingPolicies),
  refusedStory(),
];

interface Form {
  readonly policies: string;
  readonly bindings: string;
  readonly kind: string;
}
const forms = {
  validating: {
    policies: `${api}/validatingadmissionpolicies`,
    bindings: `${api}/validatingadmissionpolicybindings`,
    kind: "ValidatingAdmissionPolicy",
  },
  mutating: {
    policies: `${api}/mutatingadmissionpolicies`,
    bindings: `${api}/mutatingadmissionpolicybindings`,
    kind: "MutatingAdmissionPolicy",
  },
} satisfies Record<string, Form>;

/** Each policy looks at objects with a label of its own, so that all are in force at once. */
const constraints = (name: string): JsonObject => ({
  resourceRules: [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
  ],
  objectSelector: { matchLabels: { policy: name } },
});

function policyOf(form: keyof typeof forms, { name, spec }: PolicyCase): JsonObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: forms[form].kind,
    metadata: { name: `oracle-${name}` },
    spec: {
      matchConstraints: constraints(name),
      ...(form === "mutating" && { reinvocationPolicy: "Never", failurePolicy: "Fail" }),
      ...spec,
    },
  };
}

const bindingOf = (form: keyof typeof forms, { name, binding }: PolicyCase): JsonObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: `${forms[form].kind}Binding`,
  metadata: { name: `oracle-${name}` },
  spec: {
    policyName: `oracle-${name}`,
    ...(form === "validating" && { validationActions: ["Deny"] }),
    matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespaceOf(form) } } },
    ...binding,
  },
});

const objectsOf = (name: string): JsonObject[] =>
  [
    { a: "x" },
    { a: "y", b: "1" },
    { a: "x", b: "y", c: "z" },
    { q: "2Gi", a: "long enough" },
    { q: "1", a: "UPPER" },
  ].map((data, at) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `c-${name}-${at}`, labels: { policy: name } },
    data,
  }));

/** Of the last policy to be made, by which the others are known to be in force. */
const sentinels: Record<keyof typeof forms, JsonObject> = {
  validating: { validations: [{ expression: "false" }] },
  mutating: {
    mutations: [
      { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/data/nothing'}]" } },
    ],
  },
};

function actingStory(form: keyof typeof forms, cases: readonly PolicyCase[]): Story {
  const { policies, bindings } = forms[form];
  const namespace = namespaceOf(form);
  const configMaps = configMapsOf(form);
  const all = [...cases, { name: "sentinel", spec: sentinels[form] }];
  const first = (name: string): JsonObject => ({ ...objectsOf(name)[0], metadata: { name: `stored-${name}` } });
  return {
    name: `${form} policies`,
    group: "policies",
    recorded: true,
    scenes: [
      {
        asks: [
          {
            sentence: "create the namespace",
            method: "POST",
            path: "/api/v1/namespaces",
            body: { metadata: { name: namespace, labels: { team: "blue" } } },
          },
          {
            sentence: "create parameters",
            method: "POST",
            path: configMaps,
            body: { metadata: { name: "params", labels: { role: "params" } }, data: { wanted: "x" } },
          },
          ...cases.map(
            ({ name }): Ask => ({ sentence: `store ${name}`, method: "POST", path: configMaps, body: first(name) }),
          ),
          ...all.flatMap((one): Ask[] => [
            { sentence: `define ${one.name}`, method: "POST", path: policies, body: policyOf(form, one) },
            { sentence: `bind ${one.name}`, method: "POST", path: bindings, body: bindingOf(form, one) },
          ]),
        ],
      },
      {
        wait: {
          sentence: "is in force",
          method: "POST",
          path: `${configMaps}?dryRun=All`,
          body: objectsOf("sentinel")[0] ?? {},
        },
        until: (status) => status >= 400 && status !== 404,
      },
      ...cases
        .filter(
          ({ binding }) =>
            (binding?.["paramRef"] as JsonObject | undefined)?.["name"] !== "nowhere" && binding?.["paramRef"],
        )
        .map(
          ({ name }): Scene => ({
            wait: {
              sentence: `${name} has its parameters`,
              method: "POST",
              path: `${configMaps}?dryRun=All`,
              body: objectsOf(name)[0] ?? {},
            },
            until: (status) => status === 201,
          }),
        ),
      { asks: cases.flatMap(({ name }) => askedOf(name, configMaps)), atOnce: true },
      {
        asks: all.flatMap(({ name }): Ask[] => [
          { sentence: `unbind ${name}`, method: "DELETE", path: `${bindings}/oracle-${name}` },
          { sentence: `delete ${name}`, method: "DELETE", path: `${policies}/oracle-${name}` },
          { sentence: `remove ${name}`, method: "DELETE", path: `${configMaps}/stored-${name}` },
        ]),
      },
      ...gone(configMaps),
    ],
  };
}

/** Until nothing is in force any more: the next story has a sentinel of the same name. */
const gone = (configMaps: string): Scene[] => [
  {
    wait: {
      sentence: "is no longer in force",
      method: "POST",
      path: `${configMaps}?dryRun=All`,
      body: objectsOf("sentinel")[0] ?? {},
    },
    until: (status) => status === 201,
  },
];

function askedOf(name: string, configMaps: string): Ask[] {
  const stored = `${configMaps}/stored-${name}?dryRun=All`;
  return [
    ...objectsOf(name).map(
      (body, at): Ask => ({
        sentence: `${name}: create ${at}`,
        method: "POST",
        path: `${configMaps}?dryRun=All`,
        body,
      }),
    ),
    {
      sentence: `${name}: patch`,
      method: "PATCH",
      type: "application/merge-patch+json",
      path: stored,
      body: { metadata: { labels: { policy: name } }, data: { a: "y" } },
    },
    {
      sentence: `${name}: apply`,
      method: "PATCH",
      type: "application/apply-patch+yaml",
      path: `${stored}&fieldManager=other&force=true`,
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `stored-${name}`, labels: { policy: name } },
        data: { d: "e" },
      },
    },
    {
      sentence: `${name}: patch without the label`,
      method: "PATCH",
      type: "application/merge-patch+json",
      path: stored,
      body: { data: { a: "y" } },
    },
  ];
}

const fine = [{ expression: "true" }];

/** Where an expression may stand. */
const places: readonly {
  readonly form: keyof typeof forms;
  readonly what: string;
  readonly specOf: (expression: string) => JsonObject;
}[] = [
  { form: "validating", what: "validation", specOf: (expression) => ({ validations: [{ expression }] }) },
  {
    form: "validating",
    what: "message of",
    specOf: (messageExpression) => ({ validations: [{ expression: "true", messageExpression }] }),
  },
  {
    form: "validating",
    what: "condition",
    specOf: (expression) => ({ matchConditions: [{ name: "c", expression }], validations: fine }),
  },
  {
    form: "validating",
    what: "variable",
    specOf: (expression) => ({ variables: [{ name: "v", expression }], validations: fine }),
  },
  {
    form: "validating",
    what: "audit",
    specOf: (valueExpression) => ({ validations: fine, auditAnnotations: [{ key: "k", valueExpression }] }),
  },
  {
    form: "validating",
    what: "with params",
    specOf: (expression) => ({ paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression }] }),
  },
  {
    form: "mutating",
    what: "applied",
    specOf: (expression) => ({
      mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
    }),
  },
  {
    form: "mutating",
    what: "patched",
    specOf: (expression) => ({ mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }] }),
  },
];

function refusedStory(): Story {
  const create = (form: keyof typeof forms, what: string, spec: JsonObject): Ask => ({
    sentence: `${form}: ${what}`,
    method: "POST",
    path: `${forms[form].policies}?dryRun=All`,
    body: policyOf(form, { name: "refused", spec }),
  });
  const asks = [
    ...policyOddities.map(([what, spec]) => create("validating", what, spec)),
    ...places.flatMap(({ form, what, specOf }) =>
      refusedExpressions.map((expression, at) =>
        create(form, `${what} ${at} ${expression.slice(0, 50)}`, specOf(expression)),
      ),
    ),
    ...mutationOddities.map(([what, mutation], at) =>
      create("mutating", `${at} ${what}`, { mutations: [mutation] as Json }),
    ),
  ];
  return { name: "refused policies", group: "policies", recorded: true, scenes: [{ atOnce: true, asks }] };
}

const policyOddities: readonly (readonly [string, JsonObject])[] = [
  ["no validations", {}],
  ["empty validations", { validations: [] }],
  ["bad reason", { validations: [{ expression: "true", reason: "Bogus" }] }],
  ["bad failure policy", { failurePolicy: "Bogus", validations: fine }],
  ["bad message", { validations: [{ expression: "true", message: "a\nb" }] }],
  ["message expression of a wrong type", { validations: [{ expression: "true", messageExpression: "1" }] }],
  [
    "message expression that does not compile",
    { validations: [{ expression: "true", messageExpression: "object.data.a +" }] },
  ],
  [
    "two conditions of one name",
    {
      matchConditions: [
        { name: "a", expression: "true" },
        { name: "a", expression: "true" },
      ],
      validations: fine,
    },
  ],
  ["condition with a bad name", { matchConditions: [{ name: "Bad Name", expression: "true" }], validations: fine }],
  [
    "two variables of one name",
    {
      variables: [
        { name: "a", expression: "1" },
        { name: "a", expression: "2" },
      ],
      validations: fine,
    },
  ],
  ["variable with a bad name", { variables: [{ name: "a-b", expression: "1" }], validations: fine }],
  [
    "variable used before it is there",
    {
      variables: [
        { name: "a", expression: "variables.b" },
        { name: "b", expression: "1" },
      ],
      validations: fine,
    },
  ],
  ["param kind without a version", { paramKind: { kind: "ConfigMap" }, validations: fine }],
  ["param kind badly formed", { paramKind: { apiVersion: "a/b/c", kind: "bad kind" }, validations: fine }],
  ["audit annotation without a key", { validations: fine, auditAnnotations: [{ key: "", valueExpression: "'x'" }] }],
  ["audit annotation of a wrong type", { validations: fine, auditAnnotations: [{ key: "k", valueExpression: "1" }] }],
  [
    "two audit annotations of one key",
    {
      validations: fine,
      auditAnnotations: [
        { key: "k", valueExpression: "'x'" },
        { key: "k", valueExpression: "'y'" },
      ],
    },
  ],
  ["no rules", { validations: fine, matchConstraints: {} }],
  [
    "a bad rule",
    {
      validations: fine,
      matchConstraints: {
        resourceRules: [{ apiGroups: ["*", "apps"], apiVersions: [], operations: ["BOGUS"], resources: ["a/b/c"] }],
      },
    },
  ],
  [
    "a bad selector",
    {
      validations: fine,
      matchConstraints: {
        ...constraints("x"),
        objectSelector: { matchExpressions: [{ key: "a", operator: "Bogus" }] },
      },
    },
  ],
  ["a bad match policy", { validations: fine, matchConstraints: { ...constraints("x"), matchPolicy: "Bogus" } }],
];

const mutationOddities: readonly (readonly [string, JsonObject])[] = [
  ["no type", { applyConfiguration: { expression: "Object{}" } }],
  ["an unknown type", { patchType: "Bogus" }],
  ["a type without its member", { patchType: "JSONPatch" }],
  [
    "both members",
    { patchType: "JSONPatch", jsonPatch: { expression: "[]" }, applyConfiguration: { expression: "Object{}" } },
  ],
  ["an empty object", { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
  ["an unknown member", { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{bogus: 1}" } }],
  [
    "an unknown type name",
    { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object.bogus{a: 1}" } },
  ],
  ["a map", { patchType: "ApplyConfiguration", applyConfiguration: { expression: "{'data': {}}" } }],
  ["a patch of strings", { patchType: "JSONPatch", jsonPatch: { expression: "['x']" } }],
  ["a patch with an unknown member", { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{bogus: 1}]" } }],
  [
    "a patch with an op of a wrong type",
    { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 1, path: '/a'}]" } },
  ],
];
