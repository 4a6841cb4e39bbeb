import { type CostEstimator } from "../declarations/estimate.js";
import { type Environment } from "../environment/environment.js";
import { bindingsLibrary } from "../extensions/index.js";
import { declaredTypeProvider } from "../kubernetes/declared-types.js";
import { createBaseEnvironments } from "../kubernetes/environments.js";
import { createDeviceType, type DeviceFeatures, deviceSizes } from "./device-type.js";
import { includesLibrary } from "./includes.js";

export interface DeviceEnvironments {
  /** What the gates allow. */
  readonly forNew: Environment;
  /** All there is, whatever the gates are. */
  readonly forStored: Environment;
  readonly sizes: CostEstimator;
}

const made = new Map<string, DeviceEnvironments>();

/** Made once per combination of features: a process has one. */
export function deviceEnvironments(features: Required<DeviceFeatures>): DeviceEnvironments {
  const key = JSON.stringify([features.consumableCapacity, features.listAttributes]);
  let environments = made.get(key);
  if (!environments) made.set(key, (environments = createEnvironments(features)));
  return environments;
}

function createEnvironments(features: Required<DeviceFeatures>): DeviceEnvironments {
  const base = createBaseEnvironments();
  const known = createDeviceType(features);
  const whole = createDeviceType({ ...features, consumableCapacity: true });
  const extend = (environment: Environment, device: typeof known, withIncludes: boolean): Environment =>
    environment.extend({
      libraries: [bindingsLibrary, ...(withIncludes ? [includesLibrary] : [])],
      variables: { device: device.type },
      providers: [declaredTypeProvider([device])],
    });
  return {
    forNew: extend(base.forNew, known, features.listAttributes),
    forStored: extend(base.forStored, whole, true),
    sizes: deviceSizes(whole),
  };
}
