import type { AdmissionPlugin } from "../admission.js";
import type { QuotaEvaluator } from "./evaluator.js";
import { countObjects } from "./object-count.js";
import { createQuotaCharges, type QuotaChargesDeps } from "./quota-charges.js";

/** What is not kept is not counted; events never were. */
const ignored = new Set(["/bindings", "/componentstatuses", "/events", "events.k8s.io/events"]);
const ignoredGroups = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

export interface ResourceQuotaDeps extends QuotaChargesDeps {
  /** By `group/resource`; other kinds are only counted. */
  readonly evaluators: ReadonlyMap<string, QuotaEvaluator>;
}

/** No namespace uses more than its quotas allow. Runs last: what another plugin refuses shall not be charged. */
export function createResourceQuota(deps: ResourceQuotaDeps): AdmissionPlugin {
  const evaluators = new Map(deps.evaluators);
  const charges = createQuotaCharges(deps);
  /** A new object is charged once, however often its write is tried. */
  const charged = new WeakSet<object>();

  return {
    name: "ResourceQuota",
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { kind, namespace, operation, request } = attributes;
      const resource = `${kind.group}/${kind.resource}`;
      if (namespace === "" || resource === "/namespaces" || ignored.has(resource) || ignoredGroups.has(kind.group))
        return;
      let evaluator = evaluators.get(resource);
      if (!evaluator) evaluators.set(resource, (evaluator = countObjects(kind.group, kind.resource)));
      if (!evaluator.handles(attributes) || (operation === "CREATE" && request && charged.has(request))) return;
      const charge = charges.charge(attributes, evaluator);
      if (operation !== "CREATE" || !request) return charge;
      return charge?.then(() => void charged.add(request));
    },
  };
}
