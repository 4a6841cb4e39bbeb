import type { StoredDaemonSet } from "./stored.js";
import { setTemplateGeneration, templateGeneration } from "./template-generation.js";

export function setDaemonSetDefaults({ metadata, spec }: StoredDaemonSet): void {
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= "RollingUpdate";
  const rolls = strategy.type === "RollingUpdate";
  if (rolls) strategy.rollingUpdate ??= {};
  if (strategy.rollingUpdate) {
    strategy.rollingUpdate.maxUnavailable ??= rolls ? 1 : 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setTemplateGeneration(metadata, templateGeneration(metadata));
}
