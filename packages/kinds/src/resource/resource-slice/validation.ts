import type { DeepReadonly } from "@coxswain/api";
import type { CounterSet, Device, ResourcePool, ResourceSliceSpec } from "@coxswain/api/resource/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, fieldPath, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { ownEntries } from "@coxswain/apimachinery/own";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkBoundedSet } from "../bounded-list.js";
import { checkDriverName, checkPoolName } from "../names.js";
import { checkCounterSetName, checkCounters } from "./counters.js";
import { checkDevice } from "./device-validation.js";
import { checkNodeChoice } from "./node-choice.js";
import type { StoredResourceSlice } from "./stored.js";

type Slice = DeepReadonly<StoredResourceSlice>;
type Spec = DeepReadonly<ResourceSliceSpec>;

const path = fieldPath("spec");
const mostDevices = 128;
/** Devices with taints, counters or lists of values take more room. */
const mostRichDevices = 64;
const mostCounterSets = 8;

export const checkResourceSlice = ({ metadata, spec }: Slice): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: false }),
  ...checkSpec(spec, undefined),
];

export const checkResourceSliceUpdate = (next: Slice, old: Slice): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next.spec, old.spec),
];

function checkSpec(spec: Spec, old: Spec | undefined): FieldError[] {
  const { devices, sharedCounters, perDeviceNodeSelection = false } = spec;
  const errors = [...checkDriverName(spec.driver, path.child("driver")), ...checkPool(spec.pool, path.child("pool"))];
  if (old) {
    append(errors, checkImmutable(spec.pool.name, old.pool.name, path.child("pool", "name")));
    append(errors, checkImmutable(spec.driver, old.driver, path.child("driver")));
    append(
      errors,
      checkImmutable(
        spec.nodeName,
        old.nodeName,
        path.child("nodeName"),
        spec.nodeName === undefined ? null : namedText(spec.nodeName),
      ),
    );
  }
  append(errors, checkNodes(spec));
  // To Go an empty list that was sent is a list.
  const isGiven = (name: "devices" | "sharedCounters"): boolean =>
    spec[name] !== undefined || wasGivenEmpty(spec, name);
  if (isGiven("sharedCounters") && isGiven("devices"))
    errors.push(invalid(path, "", "only one of `sharedCounters` or `devices` is allowed"));
  const oldDevice = (name: string): DeepReadonly<Device> | undefined =>
    old?.devices?.find((device) => device.name === name);
  append(errors, [
    ...checkBoundedSet(devices, path.child("devices"), {
      most: devices?.some(isRich) ? mostRichDevices : mostDevices,
      checkItem: (device, at) => checkDevice(device, oldDevice(device.name), at, perDeviceNodeSelection),
      keyOf: ({ name }) => name,
    }),
    ...checkBoundedSet(sharedCounters, path.child("sharedCounters"), {
      most: mostCounterSets,
      checkItem: checkCounterSet,
      keyOf: ({ name }) => name,
    }),
  ]);
  return errors;
}

function checkPool({ name, resourceSliceCount, generation }: DeepReadonly<ResourcePool>, at: FieldPath): FieldError[] {
  const errors = checkPoolName(name, at.child("name"));
  if (resourceSliceCount <= 0)
    errors.push(invalid(at.child("resourceSliceCount"), resourceSliceCount, "must be greater than zero"));
  if (generation < 0) errors.push(invalid(at.child("generation"), generation, "must be greater than or equal to zero"));
  return errors;
}

function checkNodes(spec: Spec): FieldError[] {
  const { errors, chosen } = checkNodeChoice(spec, path, {
    emptyName: "must be either unset or set to a non-empty string",
    oneTerm: true,
  });
  const { perDeviceNodeSelection } = spec;
  if (perDeviceNodeSelection) chosen.push("`perDeviceNodeSelection`");
  else if (perDeviceNodeSelection === false)
    errors.push(invalid(path.child("perDeviceNodeSelection"), false, "must be either unset or set to true"));
  const wanted = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (chosen.length === 0) errors.push(required(path, wanted));
  if (chosen.length > 1) errors.push(invalid(path, `{${chosen.join(", ")}}`, `${wanted}, but multiple fields are set`));
  return errors;
}

const isRich = ({ taints, consumesCounters, attributes }: NonNullable<Spec["devices"]>[number]): boolean =>
  Boolean(taints?.length || consumesCounters?.length) ||
  ownEntries(attributes).some(
    ([, { bools, ints, strings, versions }]) => (bools ?? ints ?? strings ?? versions) !== undefined,
  );

const checkCounterSet = ({ name, counters }: DeepReadonly<CounterSet>, at: FieldPath): FieldError[] => [
  ...checkCounterSetName(name, at.child("name")),
  ...checkCounters(counters, at.child("counters")),
];
