import type { Json, JsonObject } from "../../record/index.js";
import { applyChange, type Change, jsonPatchOf } from "../change.js";
import { refusedExpressions } from "./policy-expressions.js";
import type { Ask, Story } from "./story.js";

const api = "/apis/admissionregistration.k8s.io/v1";

const webhook = (name: string): JsonObject => ({
  name: `${name}.example.com`,
  clientConfig: { service: { name: "hook", namespace: "nowhere", path: "/check", port: 8443 } },
  rules: [
    {
      apiGroups: ["oracle.example.com"],
      apiVersions: ["v1"],
      operations: ["CREATE"],
      resources: ["things"],
      scope: "Namespaced",
    },
  ],
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: { matchLabels: { a: "b" } },
  objectSelector: {},
  sideEffects: "None",
  timeoutSeconds: 5,
  admissionReviewVersions: ["v1", "v1beta1"],
  matchConditions: [{ name: "fine", expression: "object.metadata.name != 'x'" }],
});

const oddities: readonly (readonly [string, ...Json[]])[] = [
  ["name", "", "one", "a.b", "Bad.Name.example", "second.example.com"],
  [
    "clientConfig",
    {},
    { url: "https://example.com/x" },
    { url: "http://example.com" },
    { url: "https://u:p@example.com" },
    { url: "https://example.com?x=1" },
    { url: "https://example.com#f" },
    { url: "::" },
    { url: "https://a", service: { name: "a", namespace: "b" } },
  ],
  [
    "clientConfig",
    { service: { name: "", namespace: "" } },
    { service: { name: "a", namespace: "b", port: 0 } },
    { service: { name: "a", namespace: "b", port: 70_000 } },
    { service: { name: "a", namespace: "b", path: "x" } },
    { service: { name: "a", namespace: "b", path: "/a//b" } },
  ],
  [
    "rules",
    [],
    [{}],
    [{ apiGroups: ["*", ""], apiVersions: ["*", "v1"], operations: ["*", "CREATE"], resources: ["*", "pods"] }],
    [{ apiGroups: [""], apiVersions: [""], operations: ["BOGUS"], resources: [""] }],
  ],
  [
    "rules",
    [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CONNECT"], resources: ["*/*"] }],
    [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["*/*", "pods"] }],
    [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/*", "pods/log"] }],
    [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"], scope: "Bogus" }],
  ],
  ["failurePolicy", "Ignore", "Bogus", ""],
  ["matchPolicy", "Exact", "Bogus"],
  [
    "namespaceSelector",
    {},
    { matchLabels: { "bad key!": "x" } },
    { matchExpressions: [{ key: "a", operator: "In" }] },
    { matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] },
  ],
  ["objectSelector", { matchLabels: { a: "bad value!" } }],
  ["sideEffects", "NoneOnDryRun", "Some", "Unknown", "Bogus", ""],
  ["timeoutSeconds", 0, 1, 30, 31, -1],
  ["admissionReviewVersions", [], ["v1"], ["v2"], ["v1", "v1"], [""], ["bad version!"]],
  [
    "matchConditions",
    [],
    [{ name: "", expression: "true" }],
    [
      { name: "a", expression: "true" },
      { name: "a", expression: "false" },
    ],
    [{ name: "Bad Name", expression: "" }],
  ],
  ["reinvocationPolicy", "Never", "IfNeeded", "Bogus"],
  ...refusedExpressions.map((expression): readonly [string, Json] => ["matchConditions", [{ name: "c", expression }]]),
];

/** Webhook configurations: what is stored of them, and what is refused. Their rules name a resource that nobody has. */
export const webhookStories = (): Story[] => [
  story("ValidatingWebhookConfiguration"),
  story("MutatingWebhookConfiguration"),
];

const shown = ({ path, value }: Change): string => `${path.join(".")} is ${JSON.stringify(value).slice(0, 80)}`;

/** One change of the first webhook as a put, as a patch, and every third time as an apply. */
function writesOf(
  change: Change,
  at: number,
  { own, configuration }: { readonly own: string; readonly configuration: JsonObject },
): Ask[] {
  const minimal: JsonObject = {
    ...webhook("third"),
    rules: [{ apiGroups: ["x"], apiVersions: ["v1"], operations: ["*"], resources: ["y"] }],
  };
  return [
    {
      sentence: `put ${at}: ${shown(change)}`,
      method: "PUT",
      path: `${own}?dryRun=All`,
      body: (kept) => applyChange(kept.get("stored") ?? {}, change),
    },
    {
      sentence: `patch ${at}: ${shown(change)}`,
      method: "PATCH",
      type: at % 2 === 0 ? "application/json-patch+json" : "application/strategic-merge-patch+json",
      path: `${own}?dryRun=All`,
      body: (kept) =>
        at % 2 === 0
          ? jsonPatchOf(kept.get("stored") ?? {}, change)
          : { webhooks: [{ name: "first.example.com", [String(change.path[2])]: change.value ?? null }] },
    },
    ...(at % 3 === 0
      ? [
          {
            sentence: `apply ${at}: ${shown(change)}`,
            method: "PATCH" as const,
            type: "application/apply-patch+yaml",
            path: `${own}?dryRun=All&fieldManager=other${at % 2 === 0 ? "&force=true" : ""}`,
            body: {
              ...configuration,
              webhooks: [{ ...webhook("first"), [String(change.path[2])]: change.value ?? null }, minimal],
            } as Json,
          },
        ]
      : []),
  ];
}

function story(kind: string): Story {
  const collection = `${api}/${kind.toLowerCase()}s`;
  const configuration: JsonObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "oracle-hooks" },
    webhooks: [webhook("first"), webhook("second")],
  };
  const changes = oddities.flatMap(([member, ...values]) =>
    values.map((value): Change => ({ path: ["webhooks", 0, member], value, about: "value" })),
  );
  const own = `${collection}/oracle-hooks`;
  return {
    name: `${kind}s`,
    group: "webhooks",
    scenes: [
      {
        atOnce: true,
        asks: changes.map(
          (change, at): Ask => ({
            sentence: `create ${at}: ${shown(change)}`,
            method: "POST",
            path: `${collection}?dryRun=All`,
            body: applyChange(configuration, change),
          }),
        ),
      },
      {
        asks: [
          { sentence: "create", method: "POST", path: collection, body: configuration },
          { sentence: "read", method: "GET", path: own, keep: "stored" },
          {
            sentence: "read as a table",
            method: "GET",
            path: own,
            accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
          },
        ],
      },
      {
        atOnce: true,
        asks: changes.flatMap((change, at) => writesOf(change, at, { own, configuration })),
      },
      { asks: [{ sentence: "delete", method: "DELETE", path: own }] },
    ],
  };
}
