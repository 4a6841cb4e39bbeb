import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid, namedText, notSupported, required } from "@coxswain/apimachinery/field";
import { checkPortNumber } from "@coxswain/apimachinery/validation";
import { checkOneOf, checkRequiredOneOf } from "../../checks/field-errors.js";
import { isExternal, needsHealthCheck } from "./exposure.js";
import type { StoredService } from "./stored.js";

type ReadService = DeepReadonly<StoredService>;

const specPath = fieldPath("spec");
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** To which of its pods traffic goes, from outside, from inside, and from near. */
export function checkTrafficPolicies(service: ReadService): FieldError[] {
  const { type, internalTrafficPolicy: internal, trafficDistribution: distribution } = service.spec;
  const errors = [...checkExternalPolicy(service), ...checkHealthCheckPort(service)];
  const path = specPath.child("internalTrafficPolicy");
  if (internal !== undefined) append(errors, checkOneOf(internal, ["Cluster", "Local"], path));
  else if (type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP") errors.push(required(path));
  if (distribution !== undefined && !distributions.includes(distribution))
    errors.push(notSupported(specPath.child("trafficDistribution"), distribution, distributions));
  return errors;
}

function checkExternalPolicy(service: ReadService): readonly FieldError[] {
  const path = specPath.child("externalTrafficPolicy");
  const { externalTrafficPolicy: policy = "" } = service.spec;
  if (isExternal(service)) return checkRequiredOneOf(policy, ["Cluster", "Local"], path);
  return policy === "" ? [] : [invalid(path, namedText(policy), "may only be set for externally-accessible services")];
}

function checkHealthCheckPort(service: ReadService): FieldError[] {
  const path = specPath.child("healthCheckNodePort");
  const { healthCheckNodePort: port = 0 } = service.spec;
  if (!needsHealthCheck(service))
    return port === 0
      ? []
      : [invalid(path, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];
  return port === 0 ? [required(path)] : checkPortNumber(port).map((problem) => invalid(path, port, problem));
}
