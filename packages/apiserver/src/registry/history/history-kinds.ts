import { createHash } from "node:crypto";
import type { AnyKind } from "@coxswain/kinds";
import { customKind, type Definition } from "@coxswain/kinds/custom-resources";
import { changeColumns } from "./change-columns.js";
import { historyGroup, historyVersion } from "./history-group.js";
import { reconcileColumns } from "./reconcile-columns.js";

/** What selectors of changes may name. `path`: changes of a member or of something below it. */
export const changeFields = [
  "object.apiVersion",
  "object.kind",
  "object.resource",
  "object.name",
  "object.uid",
  "user",
  "manager",
  "type",
  "verb",
  "path",
] as const;

interface Described {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly description: string;
}

/** Served like a custom resource; nothing of it is stored. */
function historyKind({ kind, plural, singular, namespaced, verbs, description }: Described): AnyKind {
  const names = { plural, singular, kind, listKind: `${kind}List` };
  const version = {
    name: historyVersion,
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: { type: "object", description, "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${historyGroup}` },
    spec: { group: historyGroup, scope: namespaced ? "Namespaced" : "Cluster", names, versions: [version] },
    status: { acceptedNames: names },
  } as unknown as Definition;
  const made = customKind(definition, definition.spec.versions![0]!, {
    sha256: (text) => createHash("sha256").update(text).digest(),
  });
  return { ...made, facts: { ...made.facts, verbs, hash: "" } };
}

export const changeKind: AnyKind = {
  ...historyKind({
    kind: "Change",
    plural: "changes",
    singular: "change",
    namespaced: true,
    verbs: ["get", "list", "watch"],
    description: "One write of one object: who, when, how, and which members differ.",
  }),
  columns: changeColumns,
  selectableFields: { names: changeFields, values: () => ({}) },
};

export const momentKind: AnyKind = historyKind({
  kind: "Moment",
  plural: "moments",
  singular: "moment",
  namespaced: false,
  verbs: ["create"],
  description: "A question: which revision was the newest at a time, or when was a revision written.",
});

export const explanationKind: AnyKind = historyKind({
  kind: "Explanation",
  plural: "explanations",
  singular: "explanation",
  namespaced: false,
  verbs: ["create"],
  description: "A question: why is an object, one of its members or a request as it is.",
});

export const reconcileKind: AnyKind = {
  ...historyKind({
    kind: "Reconcile",
    plural: "reconciles",
    singular: "reconcile",
    namespaced: false,
    verbs: ["list", "watch"],
    description: "An item of a controller's work queue: since when it waits or runs, and what woke it.",
  }),
  columns: reconcileColumns,
};

export const accessExplanationKind: AnyKind = historyKind({
  kind: "AccessExplanation",
  plural: "accessexplanations",
  singular: "accessexplanation",
  namespaced: false,
  verbs: ["create"],
  description: "A question: may a user do something, and if not, what nearly allows it.",
});

export const historyKinds: readonly AnyKind[] = [
  changeKind,
  momentKind,
  explanationKind,
  accessExplanationKind,
  reconcileKind,
];
