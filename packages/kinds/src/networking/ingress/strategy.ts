import { fieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { ipWarnings } from "@coxswain/apimachinery/validation";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredIngress } from "./stored.js";
import { checkIngress, checkIngressStatus, checkIngressUpdate, classAnnotation } from "./validation.js";

export const ingressStrategy: Strategy<StoredIngress> = {
  resetFields: [["status"]],
  prepareForCreate(ingress) {
    ingress.status = { loadBalancer: {} };
    ingress.metadata.generation = 1;
  },
  validateCreate: checkIngress,
  warningsOnCreate: ({ metadata, spec }) =>
    getOwn(metadata.annotations, classAnnotation) !== undefined && spec.ingressClassName === undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  prepareForUpdate(ingress, old) {
    keep(ingress, old, "status");
    countGeneration(ingress, old, "spec");
  },
  validateUpdate: checkIngressUpdate,
};

export const ingressStatusStrategy: UpdateStrategy<StoredIngress> = {
  resetFields: [["spec"]],
  prepareForUpdate: (ingress, old) => keep(ingress, old, "spec"),
  validateUpdate: checkIngressStatus,
  warningsOnUpdate: ({ status }) =>
    (status.loadBalancer?.ingress ?? []).flatMap(({ ip }, at) =>
      ip ? ipWarnings(ip, fieldPath("status", "loadBalancer", "ingress").index(at)) : [],
    ),
};
