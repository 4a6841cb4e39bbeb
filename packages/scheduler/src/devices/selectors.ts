import { compileDeviceSelector, type DeviceSelector, type SelectableDevice } from "@coxswain/cel/devices";
import type { ResourceSlice } from "../framework/cluster-objects.js";
import type { Device } from "./device-request.js";

/** Evaluates CEL selectors, each compiled once. */
export interface Selectors {
  /** @throws Error that begins with `where`, for an expression that does not compile or fails */
  match(selection: Selection, device: Device, slice: ResourceSlice): boolean;
}

export interface Selection {
  readonly expressions: readonly string[];
  /** Whose they are, for errors. */
  readonly where: string;
}

const compiledLimit = 1000;

export function createSelectors(features: {
  readonly consumableCapacity: boolean;
  readonly listAttributes: boolean;
}): Selectors {
  const compiled = new Map<string, DeviceSelector | string>();
  /** The CEL library keeps what it makes of a device by the object. */
  const devices = new WeakMap<Device, SelectableDevice>();

  function compile(expression: string): DeviceSelector | string {
    let known = compiled.get(expression);
    if (known === undefined) {
      const { selector, error } = compileDeviceSelector(expression, features);
      known = selector ?? error?.detail ?? "";
      if (compiled.size >= compiledLimit) compiled.clear();
      compiled.set(expression, known);
    }
    return known;
  }

  function seen(device: Device, driver: string): SelectableDevice {
    let value = devices.get(device);
    if (value === undefined) {
      const { attributes, capacity, allowMultipleAllocations } = device;
      value = { driver, attributes, capacity, allowMultipleAllocations };
      devices.set(device, value);
    }
    return value;
  }

  return {
    match({ expressions, where }, device, { spec }) {
      for (const [at, expression] of expressions.entries()) {
        const selector = compile(expression);
        if (typeof selector === "string") throw new Error(`${where}: selector #${at}: CEL compile error: ${selector}`);
        const { matches, error } = selector.matches(seen(device, spec.driver));
        if (error !== undefined) throw new Error(`${where}: selector #${at}: CEL runtime error: ${error}`);
        if (!matches) return false;
      }
      return true;
    },
  };
}
