import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import type { StoredJob } from "./stored.js";

export const labels = {
  jobName: "batch.kubernetes.io/job-name",
  controllerUid: "batch.kubernetes.io/controller-uid",
  legacyJobName: "job-name",
  legacyControllerUid: "controller-uid",
} as const;

/** Unless `manualSelector` is set, a job selects its pods by a label that no other job can have: its uid. */
export function generateSelector({ metadata, spec }: StoredJob): void {
  if (spec.manualSelector) return;
  const { name = "", uid = "" } = metadata;
  const template = (spec.template.metadata ??= {});
  const isShared = metadata.labels !== undefined && metadata.labels === template.labels; // by the defaults
  template.labels = withLabels(template.labels, {
    [labels.legacyJobName]: name,
    [labels.jobName]: name,
    [labels.legacyControllerUid]: uid,
    [labels.controllerUid]: uid,
  });
  if (isShared) metadata.labels = template.labels;
  const selector = (spec.selector ??= {});
  selector.matchLabels = withLabels(selector.matchLabels, { [labels.controllerUid]: uid });
}

/** What is there already stays. Sorted, since a message may show it. */
function withLabels(
  map: Readonly<Record<string, string>> | undefined,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const added = Object.entries(more).filter(([label]) => getOwn(map, label) === undefined);
  const sorted: Record<string, string> = {};
  for (const [key, one] of [...ownEntries(map), ...added].sort(([a], [b]) => compareUtf8(a, b)))
    setOwn(sorted, key, one);
  return sorted;
}
