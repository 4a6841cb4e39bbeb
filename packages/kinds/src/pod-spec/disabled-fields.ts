import type { DeepReadonly } from "@coxswain/api";
import type { Lifecycle, PodSpec } from "@coxswain/api/core/v1";
import type { StrategyContext } from "../definition/strategy.js";
import { usesRestartRules } from "./legacy.js";

/*
 * Members of a switched-off feature that the tables do not know by their gate; the others are dropped for every kind alike.
 * What the stored object holds already may stay.
 */

type Spec = DeepReadonly<PodSpec>;

export function dropDisabledPodSpecFields(
  spec: PodSpec,
  old: Spec | undefined,
  { enabled }: StrategyContext["gates"],
): void {
  const unused = (gate: string, isUsed: (spec: Spec) => boolean): boolean =>
    !enabled(gate) && !(old && isUsed(old)) && isUsed(spec);
  if (unused("ContainerStopSignals", usesStopSignal))
    for (const container of containersOf(spec)) dropStopSignal(container);
  if (unused("PodCertificateRequest", usesPodCertificate))
    for (const source of projectionsOf(spec)) delete source.podCertificate;
  if (!enabled("ContainerRestartRules") && !(old && usesRestartRules(old))) dropRestartRules(spec);
  if (unused("MatchLabelKeysInPodTopologySpread", usesLabelKeys))
    for (const constraint of spec.topologySpreadConstraints ?? []) delete constraint.matchLabelKeys;
}

type Lists<T extends Spec> = Pick<T, "containers" | "initContainers" | "ephemeralContainers">;

const containersOf = ({ containers, initContainers = [], ephemeralContainers = [] }: Lists<PodSpec>) => [
  ...(containers ?? []),
  ...initContainers,
  ...ephemeralContainers,
];
const projectionsOf = ({ volumes = [] }: PodSpec) => volumes.flatMap(({ projected }) => projected?.sources ?? []);

const usesStopSignal = (spec: Spec): boolean =>
  containersOf(spec as PodSpec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);
const usesPodCertificate = (spec: Spec): boolean =>
  projectionsOf(spec as PodSpec).some(({ podCertificate }) => podCertificate !== undefined);
const usesLabelKeys = ({ topologySpreadConstraints = [] }: Spec): boolean =>
  topologySpreadConstraints.some(({ matchLabelKeys }) => matchLabelKeys !== undefined);

/** Sidecars are older than the rules. */
function dropRestartRules(spec: PodSpec): void {
  for (const container of containersOf(spec)) {
    delete container.restartPolicyRules;
    if (!(spec.initContainers?.includes(container) && container.restartPolicy === "Always"))
      delete container.restartPolicy;
  }
}

/** A lifecycle without other members is removed with it. */
function dropStopSignal(container: { lifecycle?: Lifecycle }): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}
