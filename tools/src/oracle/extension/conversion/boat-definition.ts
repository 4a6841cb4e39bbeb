import type { Json, JsonObject } from "../../../record/index.js";
import type { Defined } from "../definition.js";
import type { ConversionWebhook } from "./conversion-server.js";

const scale = {
  specReplicasPath: ".spec.crew",
  statusReplicasPath: ".status.crew",
  labelSelectorPath: ".status.selector",
};

const schemaOf = (spec: JsonObject, rules: readonly Json[]): JsonObject => ({
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          crew: { type: "integer", minimum: 0 },
          sails: {
            type: "array",
            items: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" }, area: { type: "integer" } },
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
          },
          flags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          ...spec,
        },
        "x-kubernetes-validations": rules,
      },
      status: { type: "object", properties: { crew: { type: "integer" }, selector: { type: "string" } } },
    },
  },
});

const version = (name: string, spec: JsonObject, rules: readonly Json[], column: string): JsonObject => ({
  name,
  served: true,
  storage: name === "v1",
  schema: schemaOf(spec, rules),
  subresources: { status: {}, scale },
  additionalPrinterColumns: [{ name: "Place", type: "string", jsonPath: column }],
});

const split = {
  host: { type: "string", maxLength: 20 },
  port: { type: "integer", maximum: 65_535 },
};

/** Boats in three versions, of which v1 is stored; each has defaults and rules of its own, and v2 another shape. */
export function defineBoats(
  group: string,
  { url, caBundle }: ConversionWebhook,
  reviewVersions: readonly string[],
  namespace: string,
): Defined {
  const definition: JsonObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "boats", singular: "boat", kind: "Boat" },
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: reviewVersions, clientConfig: { url, caBundle } },
      },
      versions: [
        version(
          "v1",
          { ...split, harbour: { type: "string", default: "from v1" } },
          [{ rule: "!has(self.port) || self.port != 13", message: "13 is no port" }],
          ".spec.host",
        ),
        version(
          "v2",
          { address: { type: "string", pattern: "^[a-z.]+:[0-9]+$" }, mast: { type: "string", default: "from v2" } },
          [
            {
              rule: "!has(self.address) || !has(oldSelf.address) || self.address != 'fixed:1'",
              message: "it may not become fixed:1",
            },
          ],
          ".spec.address",
        ),
        version("v3", { ...split, keel: { type: "string", default: "from v3" } }, [], ".spec.port"),
      ],
    },
  };
  return {
    definition,
    name: `boats.${group}`,
    group,
    kind: "Boat",
    versions: ["v1", "v2", "v3"],
    namespace,
    collection: (name = "v1") => `/apis/${group}/${name}/namespaces/${namespace}/boats`,
  };
}
