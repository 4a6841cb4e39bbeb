import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { countGeneration, keep } from "../../definition/keep.js";
import { dropAnnotation } from "../../definition/number-annotation.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import { rollbackAnnotation } from "./defaults.js";
import type { StoredDeployment } from "./stored.js";
import { checkDeployment, checkDeploymentStatus, checkDeploymentUpdate } from "./validation.js";

const templatePath = fieldPath("spec", "template");

export const deploymentStrategy: Strategy<StoredDeployment> = {
  resetFields: [["status"]],
  prepareForCreate(deployment) {
    deployment.status = {};
    deployment.metadata.generation = 1;
  },
  validateCreate: checkDeployment,
  warningsOnCreate: ({ metadata, spec }) => [
    ...podNameWarnings(metadata.name ?? ""),
    ...podTemplateWarnings(spec.template, templatePath),
  ],
  prepareForUpdate(deployment, old) {
    keep(deployment, old, "status");
    countGeneration(deployment, old, "spec");
    // Annotations are copied to its replica sets, so that a change of them is work too.
    if (!equalJson(deployment.metadata.annotations, old.metadata.annotations))
      deployment.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateUpdate: checkDeploymentUpdate,
  warningsOnUpdate: ({ metadata, spec }, old) =>
    metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(spec.template, templatePath),
  garbageCollection: "background",
};

export const deploymentStatusStrategy: UpdateStrategy<StoredDeployment> = {
  resetFields: [["spec"], ["metadata", "labels"]],
  prepareForUpdate(deployment, old) {
    keep(deployment, old, "spec");
    keep(deployment.metadata, old.metadata, "labels");
    keepRollback(deployment, old);
  },
  validateUpdate: checkDeploymentStatus,
};

/** It stands in an annotation and yet is part of the spec. */
function keepRollback({ metadata }: StoredDeployment, old: DeepReadonly<StoredDeployment>): void {
  const rollback = getOwn(old.metadata.annotations, rollbackAnnotation);
  if (rollback !== undefined) setOwn((metadata.annotations ??= {}), rollbackAnnotation, rollback);
  else dropAnnotation(metadata, rollbackAnnotation);
}
