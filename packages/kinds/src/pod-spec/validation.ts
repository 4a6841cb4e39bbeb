import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  checkServiceAccountName,
  nameIsDnsSubdomain,
  type ReadableMeta,
  rangeMessage,
  validateLabels,
} from "@coxswain/apimachinery/validation";
import { mirrorAnnotation } from "./annotations/annotations.js";
import { checkDnsLabelAt, checkRequiredOneOf, problemsAt } from "./complaints.js";
import { checkContainers, checkInitContainers } from "./containers/containers.js";
import { checkEnvFileVolumes } from "./containers/env-files.js";
import { checkEphemeralContainers } from "./containers/ephemeral-containers.js";
import { checkDnsConfig } from "./network/dns.js";
import { checkHostAliases, checkHostname, checkHostNetworkPorts, checkHostUsers } from "./network/host.js";
import { checkPodLevelResources } from "./resources/pod-level.js";
import { checkContainerResources } from "./resources/requirements.js";
import type { PodRules } from "./pod-rules.js";
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
 * Judges the spec of a pod, with upstream's messages in upstream's order. Defaults are set already.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/apis/core/validation/validation.go
 */
export function checkPodSpec(spec: Spec, options: PodSpecOptions): FieldError[] {
  const { path, rules } = options;
  const errors =
    spec.terminationGracePeriodSeconds === undefined ? [required(path.child("terminationGracePeriodSeconds"))] : [];
  errors.push(...checkParts(spec, options));
  errors.push(...checkHostNetworkPorts(spec, path.child("containers"), rules));
  errors.push(...checkRequiredOneOf(spec.restartPolicy, ["Always", "OnFailure", "Never"], path.child("restartPolicy")));
  errors.push(
    ...checkRequiredOneOf(
      spec.dnsPolicy,
      ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
      path.child("dnsPolicy"),
    ),
  );
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, path.child("nodeSelector")));
  errors.push(...checkPodSecurityContext(spec, path.child("securityContext"), rules));
  if (spec.affinity) errors.push(...checkAffinity(spec.affinity, path.child("affinity"), rules));
  errors.push(...checkDnsConfig(spec, path.child("dnsConfig"), rules));
  if (spec.readinessGates) errors.push(...checkReadinessGates(spec.readinessGates, path.child("readinessGates")));
  if (spec.schedulingGates) errors.push(...checkSchedulingGates(spec.schedulingGates, path.child("schedulingGates")));
  if (spec.topologySpreadConstraints)
    errors.push(...checkTopologySpread(spec.topologySpreadConstraints, path.child("topologySpreadConstraints"), rules));
  errors.push(
    ...checkHostProcesses(spec, path, rules),
    ...checkHostUsers(spec, path, rules),
    ...checkHostname(spec, path),
  );
  errors.push(...checkNames(spec, path, rules));
  if (spec.overhead)
    errors.push(
      ...checkContainerResources({ limits: spec.overhead }, path.child("overhead"), { rules, claimNames: new Set() }),
    );
  errors.push(...checkOperatingSystem(spec, path));
  if (spec.schedulingGroup) errors.push(...checkSchedulingGroup(spec.schedulingGroup, path.child("schedulingGroup")));
  return [...errors, ...checkEnvFileVolumes(spec, path)];
}

/** Volumes, claims and containers, and what the pod asks for as a whole. */
function checkParts(spec: Spec, { path, rules, metadata }: PodSpecOptions): FieldError[] {
  const { volumes = [], resourceClaims = [], initContainers = [], ephemeralContainers = [] } = spec;
  const containers = spec.containers ?? [];
  const { errors, good } = checkVolumes(volumes, path.child("volumes"), { rules, podName: metadata?.name ?? "" });
  errors.push(
    ...checkResourceClaims(resourceClaims, path.child("resourceClaims"), {
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
  errors.push(...checkContainers(containers, path.child("containers"), facts));
  errors.push(...checkInitContainers(initContainers, path.child("initContainers"), { regular: containers, facts }));
  if (ephemeralContainers.length > 0) {
    errors.push(
      ...checkEphemeralContainers(ephemeralContainers, path.child("ephemeralContainers"), {
        others: [...containers, ...initContainers],
        facts,
      }),
    );
  }
  if (rules.podLevelResources) errors.push(...checkPodLevelResources(spec, path.child("resources"), facts));
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
    errors.push(
      ...problemsAt(path.child("serviceAccountName"), serviceAccountName, checkServiceAccountName(serviceAccountName)),
    );
  if (nodeName !== "") errors.push(...problemsAt(path.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName)));
  if (deadline !== undefined && (deadline < 1 || deadline > longestDeadline))
    errors.push(invalid(path.child("activeDeadlineSeconds"), deadline, rangeMessage(1, longestDeadline)));
  if (hostname !== "") errors.push(...checkDnsLabelAt(hostname, path.child("hostname")));
  if (subdomain !== "") errors.push(...checkDnsLabelAt(subdomain, path.child("subdomain")));
  if (spec.tolerations) errors.push(...checkTolerations(spec.tolerations, path.child("tolerations"), rules));
  if (spec.hostAliases) errors.push(...checkHostAliases(spec.hostAliases, path.child("hostAliases"), rules));
  if (priorityClassName !== "")
    errors.push(
      ...problemsAt(path.child("priorityClassName"), priorityClassName, nameIsDnsSubdomain(priorityClassName)),
    );
  if (runtimeClassName !== undefined)
    errors.push(...problemsAt(path.child("runtimeClassName"), runtimeClassName, nameIsDnsSubdomain(runtimeClassName)));
  if (preemptionPolicy !== undefined)
    errors.push(
      ...checkRequiredOneOf(preemptionPolicy, ["PreemptLowerPriority", "Never"], path.child("preemptionPolicy")),
    );
  return errors;
}
