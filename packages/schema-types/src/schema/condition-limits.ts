import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";

/** The one type of Kubernetes that carries limits for custom resources in its source, by member. */
export const conditionType = "io.k8s.apimachinery.pkg.apis.meta.v1.Condition";
export const conditionLimits: ReadonlyMap<string, JSONSchemaProps> = new Map(
  Object.entries<JSONSchemaProps>({
    type: {
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
      maxLength: 316,
    },
    status: { enum: ["True", "False", "Unknown"] },
    observedGeneration: { minimum: 0 },
    reason: { minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
    message: { maxLength: 32768 },
  }),
);
