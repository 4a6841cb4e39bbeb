import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { gatewayGroup } from "./objects/gateway-objects.js";

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;

/** The kinds of the Gateway API with schemas that allow everything: tests of ours write what is right. */
export const testDefinitions: readonly CustomResourceDefinition[] = (
  [
    ["GatewayClass", "gatewayclasses", "v1", "Cluster"],
    ["Gateway", "gateways", "v1", "Namespaced"],
    ["HTTPRoute", "httproutes", "v1", "Namespaced"],
    ["ReferenceGrant", "referencegrants", "v1beta1", "Namespaced"],
  ] as const
).map(([kind, plural, version, scope]) => ({
  metadata: {
    name: `${plural}.${gatewayGroup}`,
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
  },
  spec: {
    group: gatewayGroup,
    names: { kind, plural },
    scope,
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
        subresources: { status: {} },
      },
    ],
  },
}));
