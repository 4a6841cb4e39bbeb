import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { checkLabelKey } from "@coxswain/apimachinery/validation";
import type { DefaultPreemptionArgs } from "../plugins/default-preemption/default-preemption.js";
import type { InterPodAffinityArgs } from "../plugins/inter-pod-affinity/inter-pod-affinity.js";
import type { ResourceWeight } from "../plugins/node-resources/allocation-scorer.js";
import type { PodTopologySpreadArgs } from "../plugins/pod-topology-spread/pod-topology-spread.js";
import type { VolumeBindingArgs } from "../plugins/volume-binding/volume-binding.js";

interface Where {
  readonly path: FieldPath;
  readonly gates: { enabled(gate: string): boolean };
}

type Validate<T> = (args: T, where: Where) => readonly FieldError[];

/**
 * By plugin. Those of NodeResourcesFit are checked when the plugin is made: upstream looks for them under another name here.
 * Those of NodeAffinity are compiled then.
 */
const validators: Readonly<Record<string, Validate<never>>> = {
  DefaultPreemption: preemptionErrors,
  InterPodAffinity: affinityErrors,
  NodeResourcesBalancedAllocation: balancedErrors,
  PodTopologySpread: spreadErrors,
  VolumeBinding: volumeErrors,
  DynamicResources: deviceErrors,
};

export const validateArgs = (plugin: string, args: object, where: Where): readonly FieldError[] =>
  Object.hasOwn(validators, plugin) ? (validators[plugin]?.(args as never, where) ?? []) : [];

function preemptionErrors(args: DefaultPreemptionArgs, { path }: Where): readonly FieldError[] {
  const { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute } = args;
  const errors: FieldError[] = [];
  const [percentagePath, absolutePath] = [
    path.child("minCandidateNodesPercentage"),
    path.child("minCandidateNodesAbsolute"),
  ];
  if (percentage < 0 || percentage > 100)
    errors.push(invalid(percentagePath, percentage, "not in valid range [0, 100]"));
  if (absolute < 0) errors.push(invalid(absolutePath, absolute, "not in valid range [0, inf)"));
  if (percentage === 0 && absolute === 0)
    errors.push(
      invalid(percentagePath, percentage, "cannot be zero at the same time as minCandidateNodesAbsolute"),
      invalid(absolutePath, absolute, "cannot be zero at the same time as minCandidateNodesPercentage"),
    );
  return errors;
}

function affinityErrors(
  { hardPodAffinityWeight: weight }: InterPodAffinityArgs,
  { path }: Where,
): readonly FieldError[] {
  return weight < 0 || weight > 100
    ? [invalid(path.child("hardPodAffinityWeight"), weight, "not in valid range [0, 100]")]
    : [];
}

function balancedErrors(
  { resources }: { readonly resources: readonly ResourceWeight[] },
  { path }: Where,
): readonly FieldError[] {
  const seen = new Set<string>();
  return resources.flatMap(({ name, weight }, at) => {
    const own = path.child("resources").index(at);
    const errors = seen.has(name) ? [duplicate(own.child("name"), name)] : [];
    seen.add(name);
    return weight === 1 ? errors : [...errors, invalid(own.child("weight"), weight, "must be 1")];
  });
}

function spreadErrors(
  { defaultingType, defaultConstraints = [] }: PodTopologySpreadArgs,
  { path }: Where,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const typePath = path.child("defaultingType");
  if (defaultingType !== "System" && defaultingType !== "List")
    errors.push(notSupported(typePath, defaultingType, ["System", "List"]));
  else if (defaultingType === "System" && defaultConstraints.length > 0)
    errors.push(invalid(typePath, defaultingType, "when .defaultConstraints are not empty"));
  for (const [at, constraint] of defaultConstraints.entries()) {
    const own = path.child("defaultConstraints").index(at);
    const { maxSkew = 0, topologyKey = "", whenUnsatisfiable: when = "" } = constraint as Partial<typeof constraint>;
    if (maxSkew <= 0) errors.push(invalid(own.child("maxSkew"), maxSkew, "not in valid range (0, inf)"));
    if (topologyKey === "") errors.push(required(own.child("topologyKey"), "can not be empty"));
    else
      for (const wrong of checkLabelKey(topologyKey))
        errors.push(invalid(own.child("topologyKey"), topologyKey, wrong));
    if (when === "") errors.push(required(own.child("whenUnsatisfiable"), "can not be empty"));
    else if (when !== "DoNotSchedule" && when !== "ScheduleAnyway")
      errors.push(notSupported(own.child("whenUnsatisfiable"), when, ["DoNotSchedule", "ScheduleAnyway"]));
    if (constraint.labelSelector)
      errors.push(
        forbidden(own.child("labelSelector"), "constraint must not define a selector, as they deduced for each pod"),
      );
    const repeated = defaultConstraints
      .slice(0, at)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === when);
    if (repeated) errors.push(duplicate(own, `{${topologyKey}, ${when}}`));
  }
  return errors;
}

function volumeErrors(
  { bindTimeoutSeconds, shape }: VolumeBindingArgs & { readonly shape?: readonly object[] },
  { path, gates }: Where,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (bindTimeoutSeconds < 0)
    errors.push(
      invalid(
        path.child("bindTimeoutSeconds"),
        bindTimeoutSeconds,
        "invalid BindTimeoutSeconds, should not be a negative value",
      ),
    );
  if (shape !== undefined && !gates.enabled("StorageCapacityScoring"))
    errors.push(
      invalid(
        path.child("shape"),
        shape,
        "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring",
      ),
    );
  return errors;
}

function deviceErrors(
  { filterTimeout, bindingTimeout }: { readonly filterTimeout?: string; readonly bindingTimeout?: string },
  { path }: Where,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((parseDurationMs(filterTimeout ?? "0s") ?? 0) < 0)
    errors.push(invalid(path.child("filterTimeout"), filterTimeout, "must be zero or positive"));
  if (bindingTimeout !== undefined && (parseDurationMs(bindingTimeout) ?? 0) < 1000)
    errors.push(invalid(path.child("bindingTimeout"), bindingTimeout, "must be at least 1 second"));
  return errors;
}
