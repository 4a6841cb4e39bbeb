import type { DeepReadonly } from "@coxswain/api";
import type { PodAffinity, PodSpec, PodTemplateSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { childOf, type FieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { ipWarnings } from "@coxswain/apimachinery/validation";
import { seccompPodAnnotation } from "../security/seccomp.js";
import { containerWarnings } from "./containers.js";
import { deprecatedNodeLabel, nodeSelectorTermWarnings } from "./deprecated-node-labels.js";
import { fractionalWarning } from "./fractions.js";
import { overlapWarnings } from "./overlapping-paths.js";
import { portWarnings } from "./ports.js";
import { volumeWarnings } from "./volumes.js";

type Spec = DeepReadonly<PodSpec>;
type Annotations = Readonly<Record<string, string>> | undefined;
type Root = FieldPath | undefined;

/** Of what a user will be sorry for, in upstream's words and order. `path` is that of the template. */
export const podTemplateWarnings = ({ metadata, spec }: DeepReadonly<PodTemplateSpec>, path: FieldPath): string[] =>
  spec ? specWarnings(spec, metadata?.annotations, path) : [];

/** `root` undefined: the spec of a pod itself. */
export function specWarnings(spec: Spec, annotations: Annotations, root: Root): string[] {
  const at = childOf(root, "spec");
  return [
    ...nodeLabelWarnings(spec, at),
    ...annotationWarnings(annotations, childOf(root, "metadata", "annotations")),
    ...volumeWarnings(spec.volumes ?? [], at.child("volumes")),
    ...overlapWarnings(spec.volumes ?? []),
    ...repeated(
      (spec.hostAliases ?? []).map(({ ip }) => ip),
      "ip",
      at.child("hostAliases"),
    ),
    ...pullSecretWarnings(spec, at.child("imagePullSecrets")),
    ...["memory", "ephemeral-storage"].flatMap((name) =>
      fractionalWarning(getOwn(spec.overhead, name), at.child("overhead").key(name)),
    ),
    ...seccompWarning(spec, annotations, root),
    ...containerWarnings({ spec, annotations, root }),
    ...portWarnings(spec, root),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${at.child("terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec.affinity?.podAffinity, at.child("affinity", "podAffinity")),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, at.child("affinity", "podAntiAffinity")),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, i) =>
      ipWarnings(server, at.child("dnsConfig", "nameservers").index(i)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, i) => ipWarnings(ip, at.child("hostAliases").index(i).child("ip"))),
  ];
}

const nothingMatches = "a null labelSelector results in matching no pod";

function nodeLabelWarnings(
  { nodeSelector, affinity, topologySpreadConstraints = [] }: Spec,
  path: FieldPath,
): string[] {
  const warnings = ownKeys(nodeSelector).flatMap((key) => {
    const why = deprecatedNodeLabel(key);
    return why === undefined ? [] : [`${path.child("nodeSelector").key(key)}: ${why}`];
  });
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must,
    preferredDuringSchedulingIgnoredDuringExecution: should = [],
  } = affinity?.nodeAffinity ?? {};
  const at = path.child("affinity", "nodeAffinity");
  for (const [i, term] of (must?.nodeSelectorTerms ?? []).entries()) {
    append(
      warnings,
      nodeSelectorTermWarnings(
        term,
        at.child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").index(i),
        { checkValues: false },
      ),
    );
  }
  for (const [i, { preference }] of should.entries()) {
    append(
      warnings,
      nodeSelectorTermWarnings(
        preference,
        at.child("preferredDuringSchedulingIgnoredDuringExecution").index(i).child("preference"),
        { checkValues: true },
      ),
    );
  }
  for (const [i, { topologyKey, labelSelector }] of topologySpreadConstraints.entries()) {
    const constraint = path.child("topologySpreadConstraints").index(i);
    const why = deprecatedNodeLabel(topologyKey);
    if (why !== undefined) warnings.push(`${constraint.child("topologyKey")}: ${topologyKey} is ${why}`);
    if (!labelSelector) warnings.push(`${constraint.child("labelSelector")}: ${nothingMatches}`);
  }
  return warnings;
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};

const annotationWarnings = (annotations: Annotations, path: FieldPath): string[] =>
  Object.entries(deprecatedAnnotations).flatMap(([key, why]) =>
    getOwn(annotations, key) === undefined ? [] : [`${path.key(key)}: ${why}`],
  );

function repeated(values: readonly string[], member: string, path: FieldPath): string[] {
  const known = new Set<string>();
  return values.flatMap((value, i) => {
    if (known.has(value)) return [`${path.index(i).child(member)}: duplicate ${member} ${quoteGo(value)}`];
    known.add(value);
    return [];
  });
}

function pullSecretWarnings({ imagePullSecrets = [] }: Spec, path: FieldPath): string[] {
  const names = imagePullSecrets.map(({ name = "" }) => name);
  return [
    ...repeated(names, "name", path),
    ...names.flatMap((name, i) => (name === "" ? [`${path.index(i).child("name")}: invalid empty name ""`] : [])),
  ];
}

function seccompWarning({ securityContext }: Spec, annotations: Annotations, root: Root): string[] {
  if (securityContext?.seccompProfile || getOwn(annotations, seccompPodAnnotation) === undefined) return [];
  return [
    `${childOf(root, "metadata", "annotations").key(seccompPodAnnotation)}: non-functional in v1.27+; use the "seccompProfile" field instead`,
  ];
}

function affinityWarnings(affinity: DeepReadonly<PodAffinity> | undefined, path: FieldPath): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must = [],
    preferredDuringSchedulingIgnoredDuringExecution: should = [],
  } = affinity ?? {};
  return [
    ...must.flatMap(({ labelSelector }, i) =>
      labelSelector
        ? []
        : [
            `${path.child("requiredDuringSchedulingIgnoredDuringExecution").index(i).child("labelSelector")}: ${nothingMatches}`,
          ],
    ),
    ...should.flatMap(({ podAffinityTerm }, i) =>
      podAffinityTerm.labelSelector
        ? []
        : [
            `${path.child("preferredDuringSchedulingIgnoredDuringExecution").index(i).child("podAffinityTerm", "labelSelector")}: ${nothingMatches}`,
          ],
    ),
  ];
}
