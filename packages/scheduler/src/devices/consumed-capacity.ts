import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity, Quantity } from "@coxswain/apimachinery/quantity";
import type { Device } from "./device-request.js";

/** Amounts by name. */
export type Capacities = Map<string, Quantity>;

type DeviceCapacity = NonNullable<Device["capacity"]>[string];
type Policy = NonNullable<DeviceCapacity["requestPolicy"]>;

/** What of a shared device's capacity a request takes: rounded up to what the device allows, all of it where no amount is given. */
export function consumedBy(requests: Readonly<Record<string, string>> | undefined, device: Device): Capacities {
  const asked = new Map(ownEntries(requests));
  const consumed: Capacities = new Map();
  for (const [name, capacity] of ownEntries(device.capacity)) {
    const amount = asked.get(name);
    consumed.set(
      name,
      amount === undefined ? unasked(capacity) : roundUp(parseQuantity(amount), capacity.requestPolicy),
    );
  }
  return consumed;
}

const unasked = ({ value, requestPolicy }: DeviceCapacity): Quantity => parseQuantity(requestPolicy?.default ?? value);

function roundUp(asked: Quantity, policy: Policy | undefined): Quantity {
  if (policy?.validRange?.min !== undefined) {
    const { min, step } = policy.validRange;
    const least = parseQuantity(min);
    if (asked.compare(least) < 0) return least;
    if (step === undefined) return asked;
    const [from, by] = [Number(least.value()), Number(parseQuantity(step).value())];
    return Quantity.of(from + Math.ceil((Number(asked.value()) - from) / by) * by, "BinarySI");
  }
  for (const valid of policy?.validValues ?? [])
    if (asked.compare(parseQuantity(valid)) <= 0) return parseQuantity(valid);
  return asked;
}

function violates(amount: Quantity, policy: Policy | undefined): boolean {
  if (policy === undefined) return false;
  if (policy.default !== undefined && amount.equals(parseQuantity(policy.default))) return false;
  if (policy.validRange) {
    const { min, max, step } = policy.validRange;
    if (max !== undefined && amount.compare(parseQuantity(max)) > 0) return true;
    if (step === undefined) return false;
    const over = Number(amount.value()) - Number(parseQuantity(min).value());
    return over % Number(parseQuantity(step).value()) !== 0;
  }
  const valid = policy.validValues ?? [];
  return valid.length > 0 && !valid.some((value) => amount.equals(parseQuantity(value)));
}

/** Whether the device has as much left as a request takes, beside what others have and will have. */
export function hasCapacity(
  device: Device,
  requests: Readonly<Record<string, string>> | undefined,
  used: readonly (ReadonlyMap<string, Quantity> | undefined)[],
): boolean {
  const known = new Map(ownEntries(device.capacity));
  for (const [name] of ownEntries(requests)) if (!known.has(name)) return false;
  for (const [name, amount] of consumedBy(requests, device)) {
    const capacity = known.get(name);
    if (capacity === undefined || violates(amount, capacity.requestPolicy)) return false;
    let sum = amount;
    for (const taken of used) sum = sum.add(taken?.get(name) ?? nothing);
    if (sum.compare(parseQuantity(capacity.value)) > 0) return false;
  }
  return true;
}

const nothing = Quantity.of(0);

export function addCapacities(to: Capacities, from: ReadonlyMap<string, Quantity>, sign: 1 | -1): void {
  for (const [name, amount] of from) {
    const sum = to.get(name) ?? nothing;
    to.set(name, sign > 0 ? sum.add(amount) : sum.sub(amount));
  }
}
