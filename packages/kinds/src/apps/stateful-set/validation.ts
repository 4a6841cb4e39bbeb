import type { DeepReadonly } from "@coxswain/api";
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from "@coxswain/api/apps/v1";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import {
  nameIsDnsLabel,
  validateAnnotations,
  validateLabels,
  validateNonnegative,
} from "@coxswain/apimachinery/validation";
import { checkCollisions, checkCounts, checkPart } from "../../checks/counts.js";
import { checkDnsLabelAt } from "../../checks/field-errors.js";
import { checkAtMostAll, checkIntOrPercent, countOrPercent } from "../../checks/int-or-percent.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkPodAnnotations } from "../../pod-spec/annotations/annotations.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import { checkClaimSpec } from "../../pod-spec/volumes/claim-template.js";
import {
  checkRunsForever,
  checkSelected,
  checkSelector,
  readSelector,
  templateRules,
} from "../../workload/template.js";
import type { StoredStatefulSet } from "./stored.js";

type ReadSet = DeepReadonly<StoredStatefulSet>;
type Spec = DeepReadonly<StatefulSetSpec>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

/** What is let pass, because it was stored before there was a rule and cannot be changed any more. */
interface Leniency {
  readonly serviceName?: boolean;
  readonly claimTemplates?: boolean;
  readonly template?: boolean;
}

export const checkStatefulSet = (set: ReadSet, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(set.metadata, { namespaced: true, checkName: nameIsDnsLabel }),
  ...checkSpec(set.spec, templateRules(context), {}),
];

/** All that an update may change. */
const changeable = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const;

export function checkStatefulSetUpdate(next: ReadSet, old: ReadSet, context: StrategyContext): FieldError[] {
  const rules = templateRules(context, old.spec.template);
  const lenient = { serviceName: true, claimTemplates: true };
  const template = checkSpec(old.spec, rules, lenient).length > 0;
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkSpec(next.spec, rules, { ...lenient, template }),
  ];
  const unchangeable = (spec: Spec): unknown =>
    Object.fromEntries(Object.entries(spec).filter(([member]) => !(changeable as readonly string[]).includes(member)));
  if (!equalJson(unchangeable(next.spec), unchangeable(old.spec))) {
    const why =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    errors.push(forbidden(specPath, why));
  }
  return errors;
}

function checkSpec(spec: Spec, rules: PodRules, lenient: Leniency): FieldError[] {
  const {
    podManagementPolicy,
    updateStrategy,
    persistentVolumeClaimRetentionPolicy: retention,
    volumeClaimTemplates = [],
    replicas = 0,
    minReadySeconds = 0,
    ordinals,
    serviceName = "",
  } = spec;
  const errors: FieldError[] = [];
  if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel") {
    errors.push(
      invalid(
        specPath.child("podManagementPolicy"),
        namedText(podManagementPolicy ?? ""),
        "must be 'OrderedReady' or 'Parallel'",
      ),
    );
  }
  append(errors, checkStrategy(updateStrategy ?? {}, specPath.child("updateStrategy")));
  for (const member of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention?.[member] ?? "";
    if (policy !== "Retain" && policy !== "Delete")
      errors.push(
        notSupported(specPath.child("persistentVolumeClaimRetentionPolicy", member), namedText(policy), [
          "Retain",
          "Delete",
        ]),
      );
  }
  if (!lenient.claimTemplates)
    append(
      errors,
      volumeClaimTemplates.flatMap((claim, at) =>
        checkClaimSpec(claim.spec ?? {}, specPath.child("volumeClaimTemplates").index(at).child("spec")),
      ),
    );
  append(errors, [
    ...validateNonnegative(replicas, specPath.child("replicas")),
    ...validateNonnegative(minReadySeconds, specPath.child("minReadySeconds")),
  ]);
  if (ordinals) append(errors, validateNonnegative(ordinals.start ?? 0, specPath.child("ordinals.start")));
  if (!lenient.serviceName && serviceName !== "")
    append(errors, checkDnsLabelAt(serviceName, specPath.child("serviceName")));
  append(errors, checkSelector(spec.selector, specPath.child("selector"), "statefulset"));
  const selector = readSelector(spec.selector);
  if (!selector) errors.push(invalid(specPath.child("selector"), spec.selector, ""));
  else {
    const path = specPath.child("template");
    if (!selector.empty) append(errors, checkSelected(selector, spec.template, path));
    append(errors, checkTemplate(asMade(spec), path, rules, lenient));
  }
  return [...errors, ...checkRunsForever(spec.template, specPath.child("template"), "StatefulSet")];
}

function checkTemplate(
  template: DeepReadonly<PodTemplateSpec>,
  path: FieldPath,
  rules: PodRules,
  lenient: Leniency,
): FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  return [
    ...(lenient.template ? [] : checkPodTemplateSpec(template, path, rules)),
    ...validateLabels(labels, path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...checkPodAnnotations(annotations, path.child("annotations"), {
      spec: template.spec ?? { containers: [] },
      rules,
    }),
  ];
}

/** The template as pods are made of it: the set chooses their host names, and its claims become volumes. */
function asMade({ template, volumeClaimTemplates = [] }: Spec): DeepReadonly<PodTemplateSpec> {
  if (!template.spec) return template;
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = template.spec;
  if (volumeClaimTemplates.length === 0) return { ...template, spec };
  const claimed = new Map(
    volumeClaimTemplates
      .map(({ metadata }) => metadata?.name ?? "")
      .map((name) => [name, { name, persistentVolumeClaim: { claimName: name } }]),
  );
  const volumes = [...claimed.values(), ...(spec.volumes ?? []).filter(({ name }) => !claimed.has(name))];
  return { ...template, spec: { ...spec, volumes } };
}

function checkStrategy(strategy: DeepReadonly<StatefulSetUpdateStrategy>, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case "OnDelete":
      return rollingUpdate
        ? [
            invalid(
              path.child("rollingUpdate"),
              printed(rollingUpdate),
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ]
        : [];
    case "RollingUpdate":
      return rollingUpdate ? checkRollingUpdate(rollingUpdate, path.child("rollingUpdate")) : [];
    case undefined:
      return [required(path)];
    default:
      return [
        invalid(
          path,
          { Type: type, RollingUpdate: rollingUpdate ? printed(rollingUpdate) : null },
          "must be 'RollingUpdate' or 'OnDelete'",
        ),
      ];
  }
}

function checkRollingUpdate(
  { partition = 0, maxUnavailable }: DeepReadonly<RollingUpdateStatefulSetStrategy>,
  path: FieldPath,
): FieldError[] {
  const errors = validateNonnegative(partition, path.child("partition"));
  if (maxUnavailable === undefined) return errors;
  const at = path.child("maxUnavailable");
  append(errors, checkIntOrPercent(maxUnavailable, at));
  if (countOrPercent(maxUnavailable) === 0) errors.push(invalid(at, maxUnavailable, "cannot be 0"));
  return [...errors, ...checkAtMostAll(maxUnavailable, at)];
}

/** As Go prints its own form. */
const printed = ({ partition = 0, maxUnavailable }: DeepReadonly<RollingUpdateStatefulSetStrategy>): unknown => ({
  Partition: partition,
  MaxUnavailable: maxUnavailable ?? null,
});

export function checkStatefulSetStatus(next: ReadSet, old: ReadSet): FieldError[] {
  const { status } = next;
  const counts = [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ] as const;
  return [
    ...checkCounts(status, counts, statusPath),
    ...(["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const).flatMap((name) =>
      checkPart(status, name, "replicas", statusPath, "status.replicas"),
    ),
    ...checkPart(status, "availableReplicas", "readyReplicas", statusPath, "status.readyReplicas"),
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCollisions(status.collisionCount, old.status.collisionCount, statusPath),
  ];
}
