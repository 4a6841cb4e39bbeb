import { findResource } from "@coxswain/api/resources";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createdAtColumns } from "../definition/created-at-columns.js";
import type { KindDefinition } from "../definition/kind-definition.js";
import type { Strategy, UpdateStrategy } from "../definition/strategy.js";
import { builtInKind } from "./built-in-kind.js";

/**
 * A kind about which only the tables are asked: nothing is defaulted or validated, and where there is a status it is written
 * through its own view alone. A kind's own folder takes its place.
 */
export function genericKind(group: string, version: string, resource: string): KindDefinition<KubernetesObject> {
  const info = findResource(group, version, resource);
  const hasStatus = info?.subresources.some(({ name }) => name === "status") ?? false;
  const selectable = info?.selectableFields.some((name) => !name.startsWith("metadata.")) ?? false;
  return builtInKind<KubernetesObject>(group, version, resource, {
    strategy: hasStatus ? withStatus : { resetFields: [] },
    views: hasStatus ? { status: statusView } : {},
    columns: createdAtColumns,
    ...(selectable && { selectableValues: (object) => valuesAt(object, info?.selectableFields ?? []) }),
  });
}

const withStatus: Strategy<KubernetesObject> = {
  resetFields: [["status"]],
  prepareForCreate: (object) => replace(object, {}, isStatus),
  prepareForUpdate: (object, old) => replace(object, old, isStatus),
};

const ofAllViews = new Set(["apiVersion", "kind", "metadata"]);
const isStatus = (member: string): boolean => member === "status";

const statusView: UpdateStrategy<KubernetesObject> = {
  resetFields: [["spec"]],
  prepareForUpdate: (object, old) => replace(object, old, (member) => !isStatus(member) && !ofAllViews.has(member)),
};

/** Gives `object` those members of `old` that this way in does not take from the client. */
function replace(object: KubernetesObject, old: object, which: (member: string) => boolean): void {
  const members = object as unknown as Record<string, unknown>;
  for (const member of Object.keys(members)) if (which(member)) delete members[member];
  for (const [member, value] of Object.entries(old)) if (which(member)) members[member] = cloneJson(value);
}

function valuesAt(object: KubernetesObject, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    if (name.startsWith("metadata.")) continue;
    const value = name
      .split(".")
      .reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], object);
    values[name] = typeof value === "object" || value === undefined ? "" : String(value);
  }
  return values;
}
