import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration } from "../../definition/keep.js";
import { ingressClassColumns } from "./columns.js";
import type { StoredIngressClass } from "./stored.js";
import { checkIngressClass, checkIngressClassUpdate } from "./validation.js";

export type { StoredIngressClass };

export const ingressClassKind = builtInKind<StoredIngressClass>("networking.k8s.io", "v1", "ingressclasses", {
  setDefaults({ spec }) {
    if (spec.parameters) spec.parameters.scope ??= "Cluster";
  },
  strategy: {
    resetFields: [],
    prepareForCreate: ({ metadata }) => void (metadata.generation = 1),
    validateCreate: checkIngressClass,
    prepareForUpdate: (next, old) => countGeneration(next, old, "spec"),
    validateUpdate: checkIngressClassUpdate,
  },
  views: {},
  columns: ingressClassColumns,
});
