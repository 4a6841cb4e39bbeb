import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import type { StoredDaemonSet } from "./stored.js";
import { setTemplateGeneration, templateGeneration } from "./template-generation.js";
import { checkDaemonSet, checkDaemonSetStatus, checkDaemonSetUpdate } from "./validation.js";

const templatePath = fieldPath("spec", "template");

export const daemonSetStrategy: Strategy<StoredDaemonSet> = {
  resetFields: [["status"]],
  prepareForCreate(set) {
    set.status = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
    set.metadata.generation = 1;
    setTemplateGeneration(set.metadata, Math.max(1, templateGeneration(set.metadata)));
  },
  validateCreate: checkDaemonSet,
  warningsOnCreate: ({ spec }) => podTemplateWarnings(spec.template, templatePath),
  prepareForUpdate(set, old) {
    keep(set, old, "status");
    countGeneration(set, old, "spec");
    const isSame = equalJson(set.spec.template, old.spec.template);
    setTemplateGeneration(set.metadata, templateGeneration(old.metadata) + (isSame ? 0 : 1));
  },
  validateUpdate: checkDaemonSetUpdate,
  warningsOnUpdate: ({ metadata, spec }, old) =>
    templateGeneration(metadata) === templateGeneration(old.metadata)
      ? []
      : podTemplateWarnings(spec.template, templatePath),
  garbageCollection: "background",
};

export const daemonSetStatusStrategy: UpdateStrategy<StoredDaemonSet> = {
  resetFields: [["spec"]],
  prepareForUpdate(set, old) {
    keep(set, old, "spec");
    setTemplateGeneration(set.metadata, templateGeneration(old.metadata));
  },
  validateUpdate: checkDaemonSetStatus,
};
