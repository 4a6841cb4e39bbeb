import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";

const texts = { type: "array", minItems: 1, items: { type: "string" } };

const names = {
  plural: "initializerconfigurations",
  singular: "initializerconfiguration",
  kind: "InitializerConfiguration",
  listKind: "InitializerConfigurationList",
};

/** The kind that names initializers, as a definition like any other: later releases have no type for it. Served from the start. */
export const initializerDefinition = (now: number): KubernetesObject =>
  ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: "initializerconfigurations.admissionregistration.k8s.io",
      annotations: { "api-approved.kubernetes.io": "unapproved, a kind of Kubernetes 1.7 to 1.13" },
    },
    spec: {
      group: "admissionregistration.k8s.io",
      scope: "Cluster",
      names,
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                initializers: {
                  type: "array",
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": ["name"],
                  items: {
                    type: "object",
                    required: ["name"],
                    properties: {
                      // Three parts at least, so that two people's do not meet.
                      name: { type: "string", pattern: "^[a-z0-9-]+(\\.[a-z0-9-]+){2,}$", maxLength: 253 },
                      rules: {
                        type: "array",
                        items: {
                          type: "object",
                          required: ["apiGroups", "apiVersions", "resources"],
                          properties: { apiGroups: texts, apiVersions: texts, resources: texts },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      ],
      conversion: { strategy: "None" },
    },
    status: {
      conditions: ["NamesAccepted", "Established"].map((type) => ({
        type,
        status: "True",
        lastTransitionTime: formatTime(now),
        reason: type === "Established" ? "InitialNamesAccepted" : "NoConflicts",
        message: type === "Established" ? "the initial names have been accepted" : "no conflicts found",
      })),
      acceptedNames: names,
      storedVersions: ["v1alpha1"],
    },
  }) as unknown as KubernetesObject;
