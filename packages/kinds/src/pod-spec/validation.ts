import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  checkServiceAccountName,
  nameIsDnsSubdomain,
  type ReadableMeta,
  rangeMessage,
  validateLabels,
} from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, checkRequiredOneOf, problemsAt } from "../checks/field-errors.js";
import { mirrorAnnotation } from "./annotations/annotations.js";
import { checkContainers, checkInitContainers } from "./containers/containers.js";
import { checkEnvFileVolumes } from "./containers/env-files.js";
import { checkEphemeralContainers } from "./containers/ephemeral-containers.js";
import { checkDnsConfig } from "./network/dns.js";
import { checkHostAliases, checkHostNetworkPorts, checkHostname, checkHostUsers } from "./network/host.js";
import type { PodRules } from "./pod-rules.js";
import { checkPodLevelResources } from "./resources/pod-level.js";
import { checkContainerResources } from "./resources/requirements.js";
import { checkReadinessGates, checkSchedulingGates, checkSchedulingGroup } from "./scheduling/gates.js";
import { checkAffinity } from "./scheduling/pod-affinity.js";
import { checkResourceClaims } from "./scheduling/resource-claims.js";
import { checkTolerations } from "./scheduling/tolerations.js";
import { checkTopologySpread } from "./scheduling/topology-spread.js";
import { checkHostProcesses } from "./security/host-process.js";
import { checkOperatingSystem } from "./security/operating-system.js";
import { checkPodSecurityContext } from "./security/pod-context.js";
import type { SpecFacts } from "./spec-facts.js";
import { checkVolumes } from "./volumes/volumes.js";

export interface PodSpecOptions {
  readonly path: FieldPath;
  readonly rules: PodRules;
  /** Of a real pod; a template has none that its pods will carry. */
  readonly metadata?: ReadableMeta;
}

type Spec = DeepReadonly<PodSpec>;

/**
 * Validates the spec of a pod, with upstream's messages in upstream's order. Defaults are set already.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/apis/core/validation/validation.go
 */
export function checkPodSpec(spec: Spec, options: PodSpecOptions): FieldError[] {
  const { path, rules } = options;
  const errors =
    spec.terminationGracePeriodSeconds === undefined ? [required(path.child("terminationGracePeriodSeconds"))] : [];
  append(errors, checkParts(spec, options));
  append(errors, checkHostNetworkPorts(spec, path.child("containers"), rules));
  append(errors, checkRequiredOneOf(spec.restartPolicy, ["Always", "OnFailure", "Never"], path.child("restartPolicy")));
  append(
    errors,
    checkRequiredOneOf(
      spec.dnsPolicy,
      ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
      path.child("dnsPolicy"),
    ),
  );
  if (spec.nodeSelector) append(errors, validateLabels(spec.nodeSelector, path.child("nodeSelector")));
  append(errors, checkPodSecurityContext(spec, path.child("securityContext"), rules));
  if (spec.affinity) append(errors, checkAffinity(spec.affinity, path.child("affinity"), rules));
  append(errors, checkDnsConfig(spec, path.child("dnsConfig"), rules));
  if (spec.readinessGates) append(errors, checkReadinessGates(spec.readinessGates, path.child("readinessGates")));
  if (spec.schedulingGates) append(errors, checkSchedulingGates(spec.schedulingGates, path.child("schedulingGates")));
  if (spec.topologySpreadConstraints)
    append(errors, checkTopologySpread(spec.topologySpreadConstraints, path.child("topologySpreadConstraints"), rules));
  append(errors, [
    ...checkHostProcesses(spec, path, rules),
    ...checkHostUsers(spec, path, rules),
    ...checkHostname(spec, path),
  ]);
  append(errors, checkNames(spec, path, rules));
  if (spec.overhead)
    append(
      errors,
      checkContainerResources({ limits: spec.overhead }, path.child("overhead"), { rules, claimNames: new Set() }),
    );
  append(errors, checkOperatingSystem(spec, path));
  if (spec.schedulingGroup) append(errors, checkSchedulingGroup(spec.schedulingGroup, path.child("schedulingGroup")));
  return [...errors, ...checkEnvFileVolumes(spec, path)];
}

/** Volumes, claims and containers, and what the pod asks for as a whole. */
function checkParts(spec: Spec, { path, rules, metadata }: PodSpecOptions): FieldError[] {
  const { volumes = [], resourceClaims = [], initContainers = [], ephemeralContainers = [] } = spec;
  const containers = spec.containers ?? [];
  const { errors, good } = checkVolumes(volumes, path.child("volumes"), { rules, podName: metadata?.name ?? "" });
  append(
    errors,
    checkResourceClaims(resourceClaims, path.child("resourceClaims"), {
      isMirror: getOwn(metadata?.annotations, mirrorAnnotation) !== undefined,
    }),
  );
  const facts: SpecFacts = {
    rules,
    volumes: good,
    claimNames: new Set(resourceClaims.map(({ name }) => name).filter((name) => name !== "")),
    gracePeriod: spec.terminationGracePeriodSeconds,
    os: spec.os?.name,
    restartPolicy: spec.restartPolicy ?? "",
    hostUsers: spec.hostUsers ?? true,
  };
  append(errors, checkContainers(containers, path.child("containers"), facts));
  append(errors, checkInitContainers(initContainers, path.child("initContainers"), { regular: containers, facts }));
  if (ephemeralContainers.length > 0) {
    append(
      errors,
      checkEphemeralContainers(ephemeralContainers, path.child("ephemeralContainers"), {
        others: [...containers, ...initContainers],
        facts,
      }),
    );
  }
  if (rules.podLevelResources) append(errors, checkPodLevelResources(spec, path.child("resources"), facts));
  return errors;
}

const longestDeadline = 2 ** 31 - 1;

function checkNames(spec: Spec, path: FieldPath, rules: PodRules): FieldError[] {
  const {
    serviceAccountName = "",
    nodeName = "",
    activeDeadlineSeconds: deadline,
    hostname = "",
    subdomain = "",
    priorityClassName = "",
    runtimeClassName,
    preemptionPolicy,
  } = spec;
  const errors: FieldError[] = [];
  if (serviceAccountName !== "")
    append(
      errors,
      problemsAt(path.child("serviceAccountName"), serviceAccountName, checkServiceAccountName(serviceAccountName)),
    );
  if (nodeName !== "") append(errors, problemsAt(path.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName)));
  if (deadline !== undefined && (deadline < 1 || deadline > longestDeadline))
    errors.push(invalid(path.child("activeDeadlineSeconds"), deadline, rangeMessage(1, longestDeadline)));
  if (hostname !== "") append(errors, checkDnsLabelAt(hostname, path.child("hostname")));
  if (subdomain !== "") append(errors, checkDnsLabelAt(subdomain, path.child("subdomain")));
  if (spec.tolerations) append(errors, checkTolerations(spec.tolerations, path.child("tolerations"), rules));
  if (spec.hostAliases) append(errors, checkHostAliases(spec.hostAliases, path.child("hostAliases"), rules));
  if (priorityClassName !== "")
    append(
      errors,
      problemsAt(path.child("priorityClassName"), priorityClassName, nameIsDnsSubdomain(priorityClassName)),
    );
  if (runtimeClassName !== undefined)
    append(errors, problemsAt(path.child("runtimeClassName"), runtimeClassName, nameIsDnsSubdomain(runtimeClassName)));
  if (preemptionPolicy !== undefined)
    append(
      errors,
      checkRequiredOneOf(preemptionPolicy, ["PreemptLowerPriority", "Never"], path.child("preemptionPolicy")),
    );
  return errors;
}
