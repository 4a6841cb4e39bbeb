import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import type { StoredJob } from "./kind.js";

export const labels = {
  jobName: "batch.kubernetes.io/job-name",
  controllerUid: "batch.kubernetes.io/controller-uid",
  legacyJobName: "job-name",
  legacyControllerUid: "controller-uid",
} as const;

/** Unless told to leave it alone, a job selects its pods by a label that no other job can have: its uid. */
export function generateSelector({ metadata, spec }: StoredJob): void {
  if (spec.manualSelector) return;
  const { name = "", uid = "" } = metadata;
  const template = ((spec.template.metadata ??= {}).labels ??= {});
  for (const [label, value] of [[labels.legacyJobName, name], [labels.jobName, name], [labels.legacyControllerUid, uid], [labels.controllerUid, uid]] as const) {
    if (getOwn(template, label) === undefined) setOwn(template, label, value);
  }
  const selector = (spec.selector ??= {});
  if (getOwn(selector.matchLabels, labels.controllerUid) === undefined) selector.matchLabels = withLabel(selector.matchLabels, labels.controllerUid, uid);
}

/** Sorted, since a message may show it. */
function withLabel(map: Readonly<Record<string, string>> | undefined, label: string, value: string): Record<string, string> {
  const sorted: Record<string, string> = {};
  for (const [key, one] of [...ownEntries(map), [label, value] as const].sort(([a], [b]) => compareUtf8(a, b))) setOwn(sorted, key, one);
  return sorted;
}
