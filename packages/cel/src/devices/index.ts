export {
  compileDeviceSelector,
  type DeviceMatch,
  type DeviceSelector,
  type DeviceSelectorCompilation,
  type DeviceSelectorOptions,
} from "./device-selector.js";
export { type DeviceFeatures } from "./device-type.js";
export { type AttributeOfDevice, type SelectableDevice } from "./device-value.js";
