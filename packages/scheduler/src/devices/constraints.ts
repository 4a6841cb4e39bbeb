import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import type { ResourceClaim } from "../framework/cluster-objects.js";
import { type Device, type DeviceRequest, isNamed } from "./device-request.js";

type Attribute = NonNullable<Device["attributes"]>[string];
type ApiConstraint = NonNullable<NonNullable<ResourceClaim["spec"]["devices"]>["constraints"]>[number];

/** What the devices of a claim must have in common, or must not. */
export interface Constraint {
  /** Answers false, and changes nothing, for a device that cannot be added to those that were. */
  add(request: DeviceRequest, device: Device, driver: string): boolean;
  /** Takes the device back that was added last for this request. */
  remove(request: DeviceRequest): void;
}

/** @throws Error for a kind of constraint that is not known */
export function constraintOf(constraint: ApiConstraint, where: string): Constraint {
  const names = new Set(constraint.requests);
  if (constraint.matchAttribute !== undefined) return matching(names, constraint.matchAttribute);
  if (constraint.distinctAttribute !== undefined) return distinct(names, constraint.distinctAttribute);
  throw new Error(`${where}: empty constraint (unsupported constraint type?)`);
}

function matching(names: ReadonlySet<string>, attribute: string): Constraint {
  let value: Attribute | undefined;
  let devices = 0;
  return {
    add(request, device, driver) {
      if (!isNamed(names, request)) return true;
      const own = attributeOf(device, driver, attribute);
      if (own === undefined || (devices > 0 && !equalJson(own, value))) return false;
      value = own;
      devices++;
      return true;
    },
    remove(request) {
      if (isNamed(names, request)) devices--;
    },
  };
}

function distinct(names: ReadonlySet<string>, attribute: string): Constraint {
  /** The last of each request, as upstream remembers it (k8s.io/dynamic-resource-allocation/structured/internal/experimental/constraint.go, distinctAttributeConstraint). */
  const values = new Map<string, Attribute>();
  return {
    add(request, device, driver) {
      if (!isNamed(names, request)) return true;
      const own = attributeOf(device, driver, attribute);
      if (own === undefined) return false;
      for (const other of values.values()) if (equalJson(own, other)) return false;
      values.set(request.parent ?? request.name, own);
      return true;
    },
    remove(request) {
      if (isNamed(names, request)) values.delete(request.parent ?? request.name);
    },
  };
}

/** By its full name, or without the domain where that is the driver's. */
function attributeOf({ attributes }: Device, driver: string, name: string): Attribute | undefined {
  const own = getOwn(attributes, name);
  if (own !== undefined) return own;
  const slash = name.indexOf("/");
  return slash >= 0 && name.slice(0, slash) === driver ? getOwn(attributes, name.slice(slash + 1)) : undefined;
}
