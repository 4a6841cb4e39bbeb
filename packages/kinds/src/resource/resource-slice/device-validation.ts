import type { DeepReadonly } from "@coxswain/api";
import type { Device, DeviceCounterConsumption } from "@coxswain/api/resource/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { checkBindingConditions } from "../binding-conditions.js";
import { checkBoundedList, checkBoundedSet } from "../bounded-list.js";
import { checkDeviceName, checkQualifiedName } from "../names.js";
import { checkTaint } from "../taints.js";
import { checkAttribute, countValues } from "./attribute-validation.js";
import { checkCapacity } from "./capacity-validation.js";
import { checkCounterSetName, checkCounters } from "./counters.js";
import { checkMappings } from "./mapping-validation.js";
import { checkNodeChoice } from "./node-choice.js";
import { shortened } from "./shortened-key.js";

type ReadonlyDevice = DeepReadonly<Device>;

const mostProperties = 32;
const mostValues = 48;
const mostTaints = 16;
const mostCounterSets = 2;

export function checkDevice(
  device: ReadonlyDevice,
  old: ReadonlyDevice | undefined,
  path: FieldPath,
  choosesNodes: boolean,
): FieldError[] {
  const { attributes, capacity, allowMultipleAllocations = false } = device;
  const errors = [...checkDeviceName(device.name, path.child("name"))];
  const properties = ownKeys(attributes).length + ownKeys(capacity).length;
  if (properties > mostProperties)
    errors.push(
      invalid(path, properties, `the total number of attributes and capacities must not exceed ${mostProperties}`),
    );
  const values = countValues(attributes);
  if (values > mostValues)
    errors.push(invalid(path, values, `the total number of attribute values must not exceed ${mostValues}`));
  append(errors, checkMembers(attributes, path.child("attributes"), checkAttribute));
  append(
    errors,
    checkMembers(capacity, path.child("capacity"), (one, at) => checkCapacity(one, at, allowMultipleAllocations)),
  );
  if (!old || !equalJson(old.taints, device.taints))
    append(errors, checkBoundedList(device.taints, mostTaints, path.child("taints"), checkTaint));
  append(errors, [
    ...checkBoundedSet(device.consumesCounters, path.child("consumesCounters"), {
      most: mostCounterSets,
      checkItem: checkConsumption,
      keyOf: ({ counterSet }) => counterSet,
    }),
    ...(choosesNodes ? checkNodes(device, path) : checkNoNodes(device, path)),
    ...checkBindingConditions(device, path),
    ...checkMappings(device.nodeAllocatableResourceMappings, capacity, path.child("nodeAllocatableResourceMappings")),
  ]);
  return errors;
}

/** Names are validated at the map's own path, values at their key's. */
function checkMembers<T>(
  members: Readonly<Record<string, T>> | undefined,
  path: FieldPath,
  check: (member: T, at: FieldPath) => readonly FieldError[],
): FieldError[] {
  return ownEntries(members).flatMap(([name, member]) => [
    ...checkQualifiedName(name, path),
    ...check(member, path.key(shortened(name))),
  ]);
}

const checkConsumption = (
  { counterSet, counters }: DeepReadonly<DeviceCounterConsumption>,
  at: FieldPath,
): FieldError[] => [
  ...checkCounterSetName(counterSet, at.child("counterSet")),
  ...checkCounters(counters, at.child("counters")),
];

function checkNodes(device: ReadonlyDevice, path: FieldPath): FieldError[] {
  const { chosen, errors } = checkNodeChoice(device, path, { emptyName: "must not be empty", oneTerm: false });
  const wanted =
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  if (chosen.length === 0) return [...errors, required(path, wanted)];
  return chosen.length > 1 ? [...errors, invalid(path, `{${chosen.join(", ")}}`, wanted)] : errors;
}

const checkNoNodes = ({ nodeName, nodeSelector, allNodes }: ReadonlyDevice, path: FieldPath): FieldError[] =>
  nodeName === undefined && nodeSelector === undefined && allNodes === undefined
    ? []
    : [
        invalid(
          path,
          null,
          "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
        ),
      ];
