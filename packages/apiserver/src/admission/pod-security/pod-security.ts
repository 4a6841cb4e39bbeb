import { fieldErrorsText } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { internalError } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import type { PodUnderCheck } from "./check.js";
import { evaluatePod, showDetails } from "./evaluate.js";
import { checkNamespace } from "./namespaces.js";
import type { PodSecurityDeps } from "./pod-security-deps.js";
import { makesPods, podOf } from "./pod-specs.js";
import {
  isFullyPrivileged,
  labelPrefix,
  type NamespacePolicy,
  privileged,
  readPolicy,
  showLevelVersion,
} from "./policy.js";
import { isSignificantUpdate } from "./significant-update.js";

/** What of a pod has nothing to do with what it may do. */
const ignored = new Set(["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"]);

/** The Pod Security Standards, as the labels of a namespace ask for them. */
export function createPodSecurity(deps: PodSecurityDeps): AdmissionPlugin {
  const { exemptions } = deps.configuration;

  function checkPod(attributes: AdmissionAttributes): void {
    if (ignored.has(attributes.subresource)) return;
    const found = policyFor(attributes, deps);
    if (!found) return;
    if (found.problems.length === 0 && isFullyPrivileged(found.policy))
      return attributes.request?.annotate(`${labelPrefix}enforce-policy`, showLevelVersion(privileged));
    const pod = attributes.object as StoredPod;
    if (attributes.operation === "UPDATE" && !isSignificantUpdate(pod, attributes.old as StoredPod)) return;
    evaluate(attributes, found, pod, true);
  }

  function checkTemplate(attributes: AdmissionAttributes): void {
    if (attributes.subresource !== "") return;
    const found = policyFor(attributes, deps);
    if (!found) return;
    if (
      found.problems.length === 0 &&
      found.policy.warn.level === "privileged" &&
      found.policy.audit.level === "privileged"
    )
      return;
    const pod = podOf(attributes.kind.group, attributes.kind.resource, attributes.object as KubernetesObject);
    if (pod) evaluate(attributes, found, pod, false);
  }

  function evaluate(
    attributes: AdmissionAttributes,
    { policy, problems }: NamespacePolicy,
    pod: PodUnderCheck,
    enforce: boolean,
  ): void {
    const annotate = (key: string, value: string): void => attributes.request?.annotate(`${labelPrefix}${key}`, value);
    if (exemptions.runtimeClasses.includes(pod.spec.runtimeClassName || "")) return annotate("exempt", "runtimeClass");
    const unread = fieldErrorsText(problems);
    if (unread !== undefined) annotate("error", `Failed to parse policy: ${unread}`);
    if (enforce) annotate("enforce-policy", showLevelVersion(policy.enforce));
    const audited = evaluatePod(policy.audit, pod);
    if (audited.length > 0)
      annotate(
        "audit-violations",
        `would violate PodSecurity ${JSON.stringify(showLevelVersion(policy.audit))}: ${showDetails(audited)}`,
      );
    const violations = enforce ? evaluatePod(policy.enforce, pod) : [];
    if (violations.length > 0)
      throw forbid(
        attributes,
        `violates PodSecurity ${JSON.stringify(showLevelVersion(policy.enforce))}: ${showDetails(violations)}`,
      );
    const warned = evaluatePod(policy.warn, pod);
    if (warned.length > 0)
      attributes.request?.warn(
        `would violate PodSecurity ${JSON.stringify(showLevelVersion(policy.warn))}: ${showDetails(warned)}`,
      );
  }

  return {
    name: "PodSecurity",
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { kind } = attributes;
      if (kind.group === "" && kind.resource === "pods") checkPod(attributes);
      else if (kind.group === "" && kind.resource === "namespaces") checkNamespace(deps, attributes);
      else if (makesPods(kind.group, kind.resource)) checkTemplate(attributes);
    },
  };
}

/** Undefined: the user or the namespace is exempt. */
function policyFor(
  attributes: AdmissionAttributes,
  { namespaces, configuration: { defaults, exemptions } }: PodSecurityDeps,
): NamespacePolicy | undefined {
  const { namespace, user, request } = attributes;
  const exempt = exemptions.namespaces.includes(namespace)
    ? "namespace"
    : exemptions.usernames.includes(user.name)
      ? "user"
      : undefined;
  if (exempt) return void request?.annotate(`${labelPrefix}exempt`, exempt);
  const found = namespaces.get(`/registry/namespaces/${namespace}`);
  if (!found && attributes.kind.kind === "Pod")
    throw internalError(`failed to lookup namespace ${JSON.stringify(namespace)}`);
  return readPolicy(found?.metadata.labels, defaults);
}
