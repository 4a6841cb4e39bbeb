import type { DeepReadonly } from "@coxswain/api";
import type { CSINodeDriver } from "@coxswain/api/storage/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { utf8Length, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkQualifiedNameAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta } from "../../checks/object-meta.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { checkCsiDriverName } from "../../pod-spec/volumes/csi.js";
import type { StoredCsiNode } from "./stored.js";

type Node = DeepReadonly<StoredCsiNode>;
type Driver = DeepReadonly<CSINodeDriver>;

const driversPath = fieldPath("spec", "drivers");
const longestNodeId = 256;

export function checkCsiNode({ metadata, spec }: Node): FieldError[] {
  const names = new Set<string>();
  const drivers = spec.drivers ?? [];
  return [
    ...checkObjectMeta(metadata, { namespaced: false }),
    ...drivers.flatMap((driver, at) => {
      const repeated = names.has(driver.name);
      names.add(driver.name);
      return checkDriver(driver, repeated, driversPath.index(at));
    }),
  ];
}

function checkDriver(
  { name, nodeID, allocatable, topologyKeys }: Driver,
  repeated: boolean,
  path: FieldPath,
): FieldError[] {
  const errors = checkCsiDriverName(name, path.child("name"));
  if (nodeID === "") errors.push(required(path.child("nodeID")));
  if (utf8Length(nodeID) > longestNodeId)
    errors.push(invalid(path.child("nodeID"), nodeID, `must be ${longestNodeId} characters or less`));
  append(errors, validateNonnegative(allocatable?.count ?? 0, path.child("allocatable", "count")));
  if (repeated) errors.push(duplicate(path.child("name"), name));
  const keys = topologyKeys ?? [];
  const repeatedKeys = repeatedPositions(keys);
  for (const [at, key] of keys.entries()) {
    if (key === "") errors.push(required(path));
    if (repeatedKeys.has(at)) errors.push(duplicate(path, key));
    append(errors, checkQualifiedNameAt(key, path));
  }
  return errors;
}

/** Of a driver that stays only the number of volumes may change. */
export function checkCsiNodeUpdate(next: Node, old: Node): FieldError[] {
  const stays = (old.spec.drivers ?? []).flatMap((before) =>
    (next.spec.drivers ?? [])
      .filter(({ name }) => name === before.name)
      .flatMap((driver) => checkImmutable(fixed(driver), fixed(before), driversPath, printed(driver))),
  );
  return [...checkCsiNode(next), ...stays];
}

const fixed = ({ name, nodeID, topologyKeys }: Driver): unknown => ({ name, nodeID, topologyKeys: topologyKeys ?? [] });

/** As Go prints its own form. */
const printed = (driver: Driver): unknown => ({
  Name: driver.name,
  NodeID: driver.nodeID,
  TopologyKeys: asGiven(driver, "topologyKeys", []),
  Allocatable: null,
});
