import { ownKeys } from "@coxswain/apimachinery/own";
import type { StoredJob } from "./stored.js";

const unlimited = 2 ** 31 - 1;

export function setJobDefaults({ metadata, spec }: StoredJob): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : unlimited;
  const labels = spec.template.metadata?.labels;
  // One map for both, as upstream has it (pkg/apis/batch/v1/defaults.go, SetDefaults_Job): the labels that the strategy adds to the template are then the job's own, too.
  if (labels && ownKeys(metadata.labels).length === 0) metadata.labels = labels;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
}
