import { fieldPath } from "@coxswain/apimachinery/field";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { countGeneration } from "../../definition/keep.js";
import type { Strategy } from "../../definition/strategy.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import { templateRules } from "../../workload/template.js";
import type { StoredPodTemplate } from "./stored.js";

const templatePath = fieldPath("template");

export const podTemplateStrategy: Strategy<StoredPodTemplate> = {
  resetFields: [],
  prepareForCreate: ({ metadata }) => void (metadata.generation = 1),
  validateCreate: ({ metadata, template }, context) => [
    ...checkObjectMeta(metadata, { namespaced: true }),
    ...checkPodTemplateSpec(template, templatePath, templateRules(context)),
  ],
  warningsOnCreate: ({ template }) => podTemplateWarnings(template, templatePath),
  prepareForUpdate: (next, old) => countGeneration(next, old, "template"),
  validateUpdate: (next, old, context) => [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkPodTemplateSpec(next.template, templatePath, templateRules(context, old.template)),
  ],
  warningsOnUpdate: ({ metadata, template }, old) =>
    metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(template, templatePath),
};
