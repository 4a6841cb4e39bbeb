import type { DeepReadonly } from "@coxswain/api";
import { getOwn } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredIngressClass } from "./stored.js";

export const ingressClassColumns: ColumnSet<StoredIngressClass> = {
  columns: [
    nameColumn,
    column("Controller", "string", "Who serves its ingresses."),
    column("Parameters", "string", "Further parameters for the controller."),
    ageColumn,
  ],
  cells({ metadata, spec }, now) {
    const isDefault = getOwn(metadata.annotations, "ingressclass.kubernetes.io/is-default-class") === "true";
    return [
      `${metadata.name ?? ""}${isDefault ? " (default)" : ""}`,
      spec.controller ?? "",
      parametersText(spec.parameters),
      age(metadata.creationTimestamp, now),
    ];
  },
};

function parametersText(parameters: DeepReadonly<StoredIngressClass>["spec"]["parameters"]): string {
  if (!parameters) return none;
  const { apiGroup, kind, name } = parameters;
  return `${apiGroup === undefined || apiGroup === null ? kind : `${kind}.${apiGroup}`}/${name}`;
}
