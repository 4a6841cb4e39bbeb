import { compareUtf8 } from "@coxswain/apimachinery/validation";

interface Balanced {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
}

/** The addresses of a load balancer, each once, sorted. */
export const loadBalancerText = (status: Balanced | undefined): string =>
  [...new Set((status?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "").filter((text) => text !== ""))]
    .sort(compareUtf8)
    .join(",");
