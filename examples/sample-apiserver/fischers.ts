import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ApiKind } from "@coxswain/apiserver/library";

/** Names that flunders must not have. */
export interface Fischer extends KubernetesObject {
  disallowedFlunders?: string[];
}

export const fischers: ApiKind<Fischer> = {
  kind: "Fischer",
  scope: "Cluster",
  versions: [
    {
      name: "v1alpha1",
      schema: {
        type: "object",
        description: "Disallows names of flunders.",
        properties: {
          disallowedFlunders: {
            description: "Names that flunders must not have.",
            type: "array",
            items: { type: "string" },
            "x-kubernetes-list-type": "atomic",
          },
        },
      },
    },
  ],
};
