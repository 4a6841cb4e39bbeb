import { getOwn } from "@coxswain/apimachinery/own";
import type { FieldSelector, Selector } from "@coxswain/apimachinery/selector";
import type { CacheEntry } from "./cache-entry.js";

/** What a list or a watch wants of one resource. */
export interface Selection {
  /** "" for all. */
  readonly namespace: string;
  /** "" for all. */
  readonly name: string;
  readonly labels: Selector | undefined;
  readonly fields: FieldSelector | undefined;
  /** The same text means the same selection: watchers that want the same are asked once. */
  readonly id: string;
}

/** All objects of the resource. */
export const everything: Selection = { namespace: "", name: "", labels: undefined, fields: undefined, id: "" };

export function selects(selection: Selection, entry: CacheEntry): boolean {
  if (selection.namespace !== "" && entry.namespace !== selection.namespace) return false;
  if (selection.name !== "" && entry.name !== selection.name) return false;
  if (selection.labels && !selection.labels.matches(entry.labels)) return false;
  return !selection.fields || matchesFields(selection.fields, entry);
}

/** Name and namespace are members of the entry; only what a kind adds is in `fields`. */
function matchesFields({ requirements }: FieldSelector, entry: CacheEntry): boolean {
  for (const { field, operator, value } of requirements)
    if ((fieldOf(entry, field) === value) !== (operator === "=")) return false;
  return true;
}

function fieldOf(entry: CacheEntry, field: string): string {
  if (field === "metadata.name") return entry.name;
  if (field === "metadata.namespace") return entry.namespace;
  return getOwn(entry.fields, field) ?? "";
}
