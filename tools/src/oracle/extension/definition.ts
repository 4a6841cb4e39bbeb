import type { Json, JsonObject } from "../../record/index.js";
import type { Feature } from "./features/feature.js";

/** A definition that a story is about, and where its objects are. */
export interface Defined {
  readonly definition: JsonObject;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  /** Served, the stored one first. */
  readonly versions: readonly string[];
  /** Undefined: objects are outside namespaces. */
  readonly namespace: string | undefined;
  /** Of the objects in a version. */
  collection(version?: string): string;
}

export const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Members that every object has beside the features, for columns, selectable fields and scale. */
const fixedSpec: JsonObject = {
  replicas: { type: "integer", format: "int32", minimum: 0 },
  color: { type: "string" },
  depth: { type: "integer" },
  since: { type: "string", format: "date-time" },
};
const fixedStatus: JsonObject = {
  replicas: { type: "integer" },
  selector: { type: "string" },
  ready: { type: "boolean" },
};

const columns: readonly Json[] = [
  { name: "Color", type: "string", jsonPath: ".spec.color", description: "of the thing" },
  { name: "Depth", type: "integer", jsonPath: ".spec.depth", format: "int32" },
  { name: "Since", type: "date", jsonPath: ".spec.since", priority: 1 },
  { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
  { name: "Spec", type: "string", jsonPath: ".spec", priority: 2 },
  { name: "Label", type: "string", jsonPath: ".metadata.labels.app\\.example\\.com/name" },
  { name: "Missing", type: "number", jsonPath: ".spec.color" },
];

const schemaOf = (features: readonly Feature[], statusFeatures: readonly Feature[]): JsonObject => ({
  type: "object",
  description: "A thing with features.",
  required: ["spec"],
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object", properties: { name: { type: "string", maxLength: 30 } } },
    spec: {
      type: "object",
      properties: { ...fixedSpec, ...Object.fromEntries(features.map(({ name, schema }) => [name, schema])) },
    },
    status: {
      type: "object",
      properties: { ...fixedStatus, ...Object.fromEntries(statusFeatures.map(({ name, schema }) => [name, schema])) },
    },
  },
  "x-kubernetes-validations": [
    { rule: "self.metadata.name != 'forbidden'", message: "a forbidden name" },
    { rule: "!has(self.spec.depth) || self.spec.depth < 1000", fieldPath: ".spec.depth" },
  ],
});

/** A definition of which the features are members of spec; three versions, the two older ones deprecated, the oldest without the later half of the features. */
export function defineFeatures(
  group: string,
  features: readonly Feature[],
  { namespace, statusFeatures = [] }: { namespace?: string; statusFeatures?: readonly Feature[] } = {},
): Defined {
  const kind = "Thing";
  const name = `things.${group}`;
  const version = (of: JsonObject, schema: JsonObject): JsonObject => ({
    served: true,
    storage: false,
    subresources: {
      status: {},
      scale: {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      },
    },
    additionalPrinterColumns: columns,
    selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.depth" }],
    schema: { openAPIV3Schema: schema },
    ...of,
  });
  const definition: JsonObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: {
      group,
      scope: namespace === undefined ? "Cluster" : "Namespaced",
      names: { plural: "things", singular: "thing", kind, shortNames: ["tg"], categories: ["all", "oracle"] },
      versions: [
        version({ name: "v1", storage: true }, schemaOf(features, statusFeatures)),
        version(
          { name: "v1beta1", deprecated: true, deprecationWarning: "v1beta1 is old; use v1" },
          schemaOf(features, statusFeatures),
        ),
        version(
          // Upstream refuses equal selectable fields of all versions beside schemas that are not equal.
          {
            name: "v1alpha1",
            deprecated: true,
            additionalPrinterColumns: columns.slice(0, 1),
            selectableFields: [{ jsonPath: ".spec.color" }],
          },
          schemaOf(features.slice(0, Math.ceil(features.length / 2)), []),
        ),
      ],
    },
  };
  return defined(definition);

  function defined(of: JsonObject): Defined {
    return {
      definition: of,
      name,
      group,
      kind,
      versions: ["v1", "v1beta1", "v1alpha1"],
      namespace,
      collection: (version = "v1") =>
        `/apis/${group}/${version}/${namespace === undefined ? "" : `namespaces/${namespace}/`}things`,
    };
  }
}
