import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import { countStrictGeneration } from "../../definition/keep.js";
import { selectorText } from "../../printing/labels.js";
import type { StoredNetworkPolicy } from "./stored.js";
import { checkNetworkPolicy, checkNetworkPolicyUpdate } from "./validation.js";
import { networkPolicyWarnings } from "./warnings.js";

export type { StoredNetworkPolicy };

export const networkPolicyKind = builtInKind<StoredNetworkPolicy>("networking.k8s.io", "v1", "networkpolicies", {
  /** A policy is about what comes in, and about what goes out if it has egress rules. */
  setDefaults({ spec }) {
    if ((spec.policyTypes ?? []).length === 0)
      spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  },
  typeDefaults: {
    "io.k8s.api.networking.v1.NetworkPolicyPort": (port: { protocol?: string }) => void (port.protocol ??= "TCP"),
  },
  strategy: {
    resetFields: [],
    prepareForCreate: ({ metadata }) => void (metadata.generation = 1),
    validateCreate: checkNetworkPolicy,
    warningsOnCreate: networkPolicyWarnings,
    prepareForUpdate: (next, old) => countStrictGeneration(next, old, "spec"),
    validateUpdate: checkNetworkPolicyUpdate,
    warningsOnUpdate: networkPolicyWarnings,
  },
  views: {},
  columns: {
    columns: [nameColumn, column("Pod-Selector", "string", "The pods it is about."), ageColumn],
    cells: ({ metadata, spec }, now) => [
      metadata.name ?? "",
      selectorText(spec.podSelector ?? {}),
      age(metadata.creationTimestamp, now),
    ],
  },
});
