import { countObjects, isQuotable, type UsageEvaluator } from "@coxswain/api/quota";
import type { AdmissionPlugin } from "../admission.js";
import { type QuotaEvaluator, withHandled } from "./evaluator.js";
import { createQuotaCharges, type QuotaChargesDeps } from "./quota-charges.js";

export interface ResourceQuotaDeps extends QuotaChargesDeps {
  /** By `group/resource`; other kinds are only counted. */
  readonly evaluators: ReadonlyMap<string, UsageEvaluator>;
}

/** No namespace uses more than its quotas allow. Runs last: what another plugin refuses shall not be charged. */
export function createResourceQuota(deps: ResourceQuotaDeps): AdmissionPlugin {
  const evaluators = new Map<string, QuotaEvaluator>();
  for (const [resource, evaluator] of deps.evaluators) evaluators.set(resource, withHandled(resource, evaluator));
  const charges = createQuotaCharges(deps);
  /** A new object is charged once, however often its write is tried. */
  const charged = new WeakSet<object>();

  return {
    name: "ResourceQuota",
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { kind, namespace, operation, request } = attributes;
      const resource = `${kind.group}/${kind.resource}`;
      if (namespace === "" || resource === "/namespaces" || !isQuotable(kind.group, kind.resource)) return;
      let evaluator = evaluators.get(resource);
      if (!evaluator)
        evaluators.set(resource, (evaluator = withHandled(resource, countObjects(kind.group, kind.resource))));
      if (!evaluator.handles(attributes) || (operation === "CREATE" && request && charged.has(request))) return;
      const charge = charges.charge(attributes, evaluator);
      if (operation !== "CREATE" || !request) return charge;
      return charge?.then(() => void charged.add(request));
    },
  };
}
