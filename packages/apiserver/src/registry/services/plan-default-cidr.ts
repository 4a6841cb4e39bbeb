import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";

export type CidrPlan =
  | { readonly do: "nothing" | "create" | "set ready" }
  /** From one address family to two. */
  | { readonly do: "widen" }
  | { readonly do: "report"; readonly reason: string; readonly message: string };

/** What the server's own flags ask of the ServiceCIDR `kubernetes`. A difference is reported in an event, and left to the administrator. */
export function planDefaultCidr(
  current: (ServiceCIDR & KubernetesObject) | undefined,
  cidrs: readonly string[],
): CidrPlan {
  if (!current) return { do: "create" };
  const known = current.spec?.cidrs ?? [];
  if (cidrs.length === 2 && known.length === 1 && known[0] === cidrs[0]) return { do: "widen" };
  if (current.metadata.deletionTimestamp) return { do: "nothing" };
  if (known.length !== cidrs.length || known.some((cidr, at) => cidr !== cidrs[at]))
    return {
      do: "report",
      reason: "KubernetesDefaultServiceCIDRInconsistent",
      message: `The default ServiceCIDR [${known.join(" ")}] does not match the controller flag configurations [${cidrs.join(" ")}]`,
    };
  const ready = current.status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status === "False")
    return { do: "report", reason: ready.reason, message: `Configuration matches, but ${ready.message}` };
  return { do: ready?.status === "True" ? "nothing" : "set ready" };
}
