import type { DeepReadonly } from "@coxswain/api";
import type { CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { checkBoundedSet } from "../bounded-list.js";

const mostValues = 10;

/** Only of a device that may be allocated several times can there be a rule for how much one asks. */
export function checkCapacity(
  { value, requestPolicy: policy }: DeepReadonly<DeviceCapacity>,
  path: FieldPath,
  isShared: boolean,
): FieldError[] {
  if (!policy) return [];
  const here = path.child("requestPolicy");
  return isShared
    ? checkPolicy(policy, parseQuantity(value), here)
    : [forbidden(here, "allowMultipleAllocations must be true")];
}

function checkPolicy(
  { default: preset, validValues = [], validRange }: DeepReadonly<CapacityRequestPolicy>,
  capacity: Quantity,
  path: FieldPath,
): FieldError[] {
  if (validValues.length > 0 && validRange)
    return [
      forbidden(
        path,
        'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ),
    ];
  if (validValues.length === 0 && !validRange) return [];
  // It is null where it is left out.
  if (preset === undefined || preset === null)
    return [required(path.child("default"), `required when ${validRange ? "validRange" : "validValues"} is defined`)];
  const amount = parseQuantity(preset);
  return validRange
    ? checkRange(amount, capacity, validRange, path.child("validRange"))
    : checkValues(amount, capacity, validValues.map(parseQuantity), path.child("validValues"));
}

function checkValues(preset: Quantity, capacity: Quantity, values: readonly Quantity[], path: FieldPath): FieldError[] {
  const unsorted = values.flatMap((value, at) =>
    at > 0 && values[at - 1]?.compare(value) === 1
      ? [invalid(path.index(at), value.toString(), "values must be sorted in ascending order")]
      : [],
  );
  const errors = [
    ...unsorted,
    ...checkBoundedSet(values, path, {
      most: mostValues,
      checkItem: (value, at) =>
        value.compare(capacity) > 0
          ? [invalid(at, value.toString(), `option is larger than capacity value: ${capacity.toString()}`)]
          : [],
      keyOf: (value) => String(value.value()),
    }),
  ];
  // A list that is too long is not searched.
  const isFound = values.length <= mostValues && values.some((value) => value.equals(preset));
  return isFound
    ? errors
    : [...errors, invalid(path, preset.toString(), "default value is not valid according to the requestPolicy")];
}

function checkRange(
  preset: Quantity,
  capacity: Quantity,
  range: DeepReadonly<CapacityRequestPolicyRange>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const addError = (member: string, value: Quantity, detail: string): void =>
    void errors.push(invalid(path.child(member), value.toString(), detail));
  if (range.min === undefined || range.min === null)
    return [required(path.child("min"), "required when validRange is defined")];
  const min = parseQuantity(range.min);
  const max = range.max === undefined ? undefined : parseQuantity(range.max);
  if (min.compare(capacity) > 0) addError("min", min, `min is larger than capacity value: ${capacity.toString()}`);
  if (preset.compare(min) < 0) addError("min", preset, `default is less than min: ${min.toString()}`);
  if (max) {
    if (min.compare(max) > 0) addError("max", min, `min is larger than max: ${max.toString()}`);
    if (max.compare(capacity) > 0) addError("max", max, `max is larger than capacity value: ${capacity.toString()}`);
    if (preset.compare(max) > 0) addError("max", preset, `default is more than max: ${max.toString()}`);
  }
  if (range.step !== undefined) {
    const step = parseQuantity(range.step);
    const first = min.add(step);
    if (first.compare(capacity) > 0)
      addError("step", step, `one step ${first.toString()} is larger than capacity value: ${capacity.toString()}`);
    for (const value of max ? [preset, max] : [preset]) {
      if (!isStep(value, min, step))
        addError(
          "step",
          value,
          `value is not a multiple of a given step (${step.toString()}) from (${min.toString()})`,
        );
    }
  }
  return errors;
}

/** In whole units. Upstream fails on a step of 0; here no value is a step away then. */
function isStep(value: Quantity, min: Quantity, step: Quantity): boolean {
  const width = BigInt(step.value());
  return width !== 0n && (BigInt(value.value()) - BigInt(min.value())) % width === 0n;
}
