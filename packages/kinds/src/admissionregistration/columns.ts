import type { DeepReadonly } from "@coxswain/api";
import type { ParamKind, ParamRef } from "@coxswain/api/admissionregistration/v1";
import { goSelectorText } from "@coxswain/apimachinery/selector";
import { age } from "../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../definition/columns.js";

interface Dated {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string | null };
}

interface Policy extends Dated {
  readonly spec: { readonly paramKind?: DeepReadonly<ParamKind> };
}

interface Binding extends Dated {
  readonly spec: { readonly policyName?: string; readonly paramRef?: DeepReadonly<ParamRef> };
}

const unset = "<unset>";

export const policyColumns = <T extends Policy>(
  name: string,
  description: string,
  count: (policy: DeepReadonly<T>) => number,
): ColumnSet<T> => ({
  columns: [
    nameColumn,
    column(name, "integer", description),
    column("ParamKind", "string", "Of which kind its settings are."),
    ageColumn,
  ],
  cells(policy, now) {
    const { metadata, spec } = policy as Policy;
    return [
      metadata.name ?? "",
      count(policy),
      spec.paramKind ? `${spec.paramKind.apiVersion ?? ""}/${spec.paramKind.kind ?? ""}` : unset,
      age(metadata.creationTimestamp, now),
    ];
  },
});

export const bindingColumns = {
  columns: [
    nameColumn,
    column("PolicyName", "string", "The policy that it puts to use."),
    column("ParamRef", "string", "Where its settings are."),
    ageColumn,
  ],
  cells: ({ metadata, spec }: Binding, now: number) => [
    metadata.name ?? "",
    spec.policyName ?? "",
    spec.paramRef ? paramText(spec.paramRef) : unset,
    age(metadata.creationTimestamp, now),
  ],
} satisfies ColumnSet<Binding>;

function paramText({ name, namespace, selector }: DeepReadonly<ParamRef>): string {
  if (name) return `${namespace || "*"}/${name}`;
  return selector ? goSelectorText(selector) : unset;
}
