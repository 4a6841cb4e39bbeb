import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldErrorText,
  fieldPath,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatDurationMs } from "@coxswain/apimachinery/time";
import { checkLabelKey } from "@coxswain/apimachinery/validation";
import { extensionPoints } from "../framework/profile.js";
import { isExtendedResourceName } from "../pod/resource.js";
import type { ConfigDocument } from "./config-document.js";
import type { LeaderElectionConfig, ProfileConfig, SchedulerConfig } from "./scheduler-config.js";
import { validateArgs } from "./validate-args.js";

interface Gates {
  enabled(gate: string): boolean;
}

/** What is wrong with a configuration, in upstream's words and order. */
export function validateConfig(config: SchedulerConfig, document: ConfigDocument, gates: Gates): readonly string[] {
  const errors: FieldError[] = [];
  const at = (name: string): FieldPath => fieldPath(name);
  const { clientConnection, parallelism, profiles, percentageOfNodesToScore } = config;
  if (clientConnection.burst < 0)
    errors.push(invalid(at("clientConnection").child("burst"), clientConnection.burst, "must be non-negative"));
  for (const error of leaderElectionErrors(config.leaderElection, at("leaderElection"))) errors.push(error);
  if (parallelism <= 0)
    errors.push(invalid(at("parallelism"), parallelism, "should be an integer value greater than zero"));
  for (const error of profileErrors(profiles, document, gates)) errors.push(error);
  for (const error of percentageErrors(percentageOfNodesToScore, at("percentageOfNodesToScore"))) errors.push(error);
  if (config.podInitialBackoffSeconds <= 0)
    errors.push(invalid(at("podInitialBackoffSeconds"), config.podInitialBackoffSeconds, "must be greater than 0"));
  if (config.podMaxBackoffSeconds < config.podInitialBackoffSeconds)
    errors.push(
      invalid(
        at("podMaxBackoffSeconds"),
        config.podMaxBackoffSeconds,
        "must be greater than or equal to PodInitialBackoffSeconds",
      ),
    );
  for (const error of extenderErrors(config.extenders, at("extenders"))) errors.push(error);
  return errors.map(fieldErrorText);
}

function leaderElectionErrors(lease: LeaderElectionConfig, path: FieldPath): readonly FieldError[] {
  if (!lease.leaderElect) return [];
  const errors: FieldError[] = [];
  for (const [name, ms] of [
    ["leaseDuration", lease.leaseDurationMs],
    ["renewDeadline", lease.renewDeadlineMs],
    ["retryPeriod", lease.retryPeriodMs],
  ] as const)
    if (ms <= 0) errors.push(invalid(path.child(name), formatDurationMs(ms), "must be greater than zero"));
  if (lease.leaseDurationMs <= lease.renewDeadlineMs)
    errors.push(
      invalid(
        path.child("leaseDuration"),
        formatDurationMs(lease.renewDeadlineMs),
        "must be greater than `RenewDeadline`",
      ),
    );
  if (lease.resourceLock !== "leases")
    errors.push(invalid(path.child("resourceLock"), lease.resourceLock, 'resourceLock value must be "leases"'));
  return errors;
}

const percentageErrors = (percentage: number | undefined, path: FieldPath): readonly FieldError[] =>
  percentage !== undefined && (percentage < 0 || percentage > 100)
    ? [invalid(path, percentage, "not in valid range [0-100]")]
    : [];

function profileErrors(
  profiles: readonly ProfileConfig[],
  document: ConfigDocument,
  gates: Gates,
): readonly FieldError[] {
  const path = fieldPath("profiles");
  const seen = new Set<string>();
  const errors = profiles.flatMap((profile, at) => {
    const own = path.index(at);
    const found = oneProfileErrors(profile, { path: own, document: document.profiles?.[at] ?? {}, gates });
    const isRepeated = seen.has(profile.schedulerName);
    seen.add(profile.schedulerName);
    // Upstream shows a path that has no members to show.
    return !isRepeated ? found : [...found, duplicate(own.child("schedulerName"), {})];
  });
  return [...errors, ...queueSortErrors(profiles, path)];
}

/** Plugins of earlier versions. */
const removedPlugins = new Set(["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"]);
const removed = 'was invalid in version "v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")';

function oneProfileErrors(
  profile: ProfileConfig,
  {
    path,
    document,
    gates,
  }: { path: FieldPath; document: NonNullable<ConfigDocument["profiles"]>[number]; gates: Gates },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (profile.schedulerName === "") errors.push(required(path.child("schedulerName")));
  for (const error of percentageErrors(profile.percentageOfNodesToScore, path.child("percentageOfNodesToScore")))
    errors.push(error);
  for (const point of extensionPoints)
    for (const [at, { name }] of profile.plugins[point].enabled.entries())
      if (removedPlugins.has(name))
        errors.push(invalid(path.child("plugins").child(point).child("enabled").index(at), name, removed));
  const seen = new Set<string>();
  const given = (document.pluginConfig ?? []).map(({ name }) => name);
  const others = [...profile.pluginConfig.keys()].filter((name) => !given.includes(name));
  for (const [at, name] of [...given, ...others].entries()) {
    const own = path.child("pluginConfig").index(at);
    if (seen.has(name)) errors.push(duplicate(own, name));
    seen.add(name);
    if (removedPlugins.has(name)) errors.push(invalid(own, name, removed));
    else
      for (const error of validateArgs(name, profile.pluginConfig.get(name) ?? {}, { path: own.child("args"), gates }))
        errors.push(error);
  }
  return errors;
}

function queueSortErrors(profiles: readonly ProfileConfig[], path: FieldPath): readonly FieldError[] {
  const [first, ...rest] = profiles;
  if (first === undefined) return [];
  const errors: FieldError[] = [];
  const { enabled } = first.plugins.queueSort;
  if (enabled.length > 1)
    errors.push(
      invalid(
        path.index(0).child("plugins").child("queueSort").child("Enabled"),
        enabled.length,
        "only one queue sort plugin can be enabled",
      ),
    );
  for (const [at, { plugins }] of rest.entries())
    if (!equalJson(plugins.queueSort, first.plugins.queueSort))
      errors.push(
        invalid(
          path
            .index(at + 1)
            .child("plugins")
            .child("queueSort"),
          plugins.queueSort,
          "must be the same for all profiles",
        ),
      );
  return errors;
}

function extenderErrors(extenders: SchedulerConfig["extenders"], path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  const managed = new Set<string>();
  for (const [at, { prioritizeVerb, weight = 0, managedResources = [] }] of extenders.entries()) {
    if (prioritizeVerb && weight <= 0)
      errors.push(invalid(path.index(at).child("weight"), weight, "must have a positive weight applied to it"));
    for (const [index, { name }] of managedResources.entries()) {
      const own = path.index(at).child("managedResources").index(index).child("name");
      const wrong = checkLabelKey(name);
      for (const message of wrong) errors.push(invalid(own, name, message));
      if (wrong.length === 0 && !isExtendedResourceName(name))
        errors.push(invalid(own, name, "is an invalid extended resource name"));
      if (managed.has(name)) errors.push(invalid(own, name, "duplicate extender managed resource name"));
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb }) => bindVerb).length;
  if (binders > 1)
    errors.push(invalid(path, `found ${binders} extenders implementing bind`, "only one extender can implement bind"));
  return errors;
}
