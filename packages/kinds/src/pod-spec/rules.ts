import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import type { StrategyContext } from "../definition/strategy.js";
import { deletionCostIsValid } from "./annotations/deletion-cost.js";
import * as old from "./legacy.js";
import type { PodRules } from "./pod-rules.js";

export interface Checked {
  readonly spec: DeepReadonly<PodSpec>;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export interface PodRulesOptions {
  readonly gates: StrategyContext["gates"];
  readonly isPod: boolean;
  /** What is stored now; none on create. */
  readonly old?: Checked | undefined;
  /** @default true */
  readonly allowPrivileged?: boolean | undefined;
}

export function podRules({ gates, isPod, old: stored, allowPrivileged = true }: PodRulesOptions): PodRules {
  const spec = stored?.spec;
  const held = (test: (spec: DeepReadonly<PodSpec>) => boolean): boolean => spec !== undefined && test(spec);
  return {
    isPod,
    allowPrivileged,
    strictAddresses: gates.enabled("StrictIPCIDRValidation"),
    podLevelResources: gates.enabled("PodLevelResources"),
    podLevelResize: gates.enabled("InPlacePodLevelResourcesVerticalScaling"),
    initContainerResize: gates.enabled("InPlacePodVerticalScalingInitContainers"),
    restartRules: gates.enabled("ContainerRestartRules") || held(old.usesRestartRules),
    restartAllContainers: gates.enabled("RestartAllContainersOnContainerExits") || held(old.restartsAllContainers),
    envFiles: gates.enabled("EnvFiles") || held(old.usesEnvFiles),
    matchLabelKeysInSpread: spreadRule(gates, spec),
    comparingTolerations: gates.enabled("TaintTolerationComparisonOperators") || held(old.usesComparingTolerations),
    hostNetworkWithUserNamespaces:
      gates.enabled("UserNamespacesHostNetworkSupport") || held(old.sharesNetworkInUserNamespace),
    volumeDevicesWithUserNamespaces: held(old.usesDevicesInUserNamespace),
    onlyRecursiveSELinuxChange:
      !gates.enabled("SELinuxMount") && spec?.securityContext?.seLinuxChangePolicy === undefined,
    clearNominatedNode: gates.enabled("ClearingNominatedNodeNameAfterBinding"),
    imageVolumeDigests: gates.enabled("ImageVolumeWithDigest"),
    invalidDeletionCost:
      !gates.enabled("PodDeletionCost") || (stored !== undefined && !deletionCostIsValid(stored.annotations)),
    indivisibleHugePages: held(old.usesIndivisibleHugePages),
    invalidAffinitySelectors: held(old.hasInvalidAffinitySelector),
    invalidNodeAffinityValues: held(old.hasInvalidNodeAffinityValue),
    invalidSpreadSelectors: held(old.hasInvalidSpreadSelector),
    nonLocalTokenPaths: held(old.hasNonLocalTokenPath),
    hostSysctls: held(old.setsHostSysctl),
    restartingInitContainerResize: held(old.restartsInitContainersOnResize),
  };
}

/** Since 1.34 the label keys are merged into the selector when a pod is made, so that a key may stand in both. */
function spreadRule(
  gates: PodRulesOptions["gates"],
  spec: DeepReadonly<PodSpec> | undefined,
): PodRules["matchLabelKeysInSpread"] {
  if (!gates.enabled("MatchLabelKeysInPodTopologySpread")) return "kept apart";
  const merges = gates.enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge");
  if (spec === undefined) return merges ? "merged" : "kept apart";
  if (merges) return old.breaksMergedLabelKeys(spec) ? "kept apart" : "merged";
  return old.breaksSeparateLabelKeys(spec) ? "merged" : "kept apart";
}
