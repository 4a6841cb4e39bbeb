import { getOwn } from "@coxswain/apimachinery/own";
import type { Metrics } from "@coxswain/runtime/metrics";
import { countByLabels } from "../controller/count-by-labels.js";
import type { CachedResourceClaim } from "../resource-claims/claim-user.js";
import { needsAdminAccess, podClaimAnnotation } from "./plan-user.js";

const adminAccessOf = (claim: Pick<CachedResourceClaim, "spec">): string =>
  String(needsAdminAccess({ spec: { spec: claim.spec } }));

function sourceOf({ metadata }: CachedResourceClaim): string {
  if (getOwn(metadata?.annotations, "resource.kubernetes.io/extended-resource-claim") === "true")
    return "extended_resource";
  return getOwn(metadata?.annotations, podClaimAnnotation) ? "resource_claim_template" : "";
}

/** What the controller counts about claims, under upstream's names (pkg/controller/resourceclaim/metrics/metrics.go). */
export function createClaimMetrics(metrics: Metrics, listClaims: () => readonly CachedResourceClaim[]) {
  const creates = metrics.counter({
    name: "resourceclaim_controller_creates_total",
    help: "Requests to create ResourceClaims, by result and admin access",
    stability: "ALPHA",
    labels: ["status", "admin_access"],
  });
  metrics.collectGauge(
    {
      name: "resourceclaim_controller_resource_claims",
      help: "ResourceClaims by allocation, admin access and where they come from: resource_claim_template, extended_resource, or a user",
      stability: "ALPHA",
      labels: ["allocated", "admin_access", "source"],
    },
    (report) => {
      const labelsOf = (claim: CachedResourceClaim): string[] => [
        String(claim.status?.allocation !== undefined),
        adminAccessOf(claim),
        sourceOf(claim),
      ];
      for (const { labels, count } of countByLabels(listClaims(), labelsOf)) report(count, ...labels);
    },
  );
  return {
    created: (claim: Pick<CachedResourceClaim, "spec">, status: "success" | "failure"): void =>
      creates.with(status, adminAccessOf(claim)).add(1),
  };
}
