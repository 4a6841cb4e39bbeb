import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";

/** The ServiceCIDR of the server's own flags. It is ready from the start: no controller would set the condition. */
export const defaultServiceCidr = (cidrs: readonly string[], now: number): KubernetesObject =>
  ({
    apiVersion: "networking.k8s.io/v1",
    kind: "ServiceCIDR",
    metadata: { name: "kubernetes" },
    spec: { cidrs: [...cidrs] },
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: formatTime(now),
          reason: "",
          message: "Kubernetes default Service CIDR is ready",
        },
      ],
    },
  }) as KubernetesObject;
