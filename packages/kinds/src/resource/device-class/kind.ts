import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration } from "../../definition/keep.js";
import { nameAndAgeColumns } from "../../definition/name-and-age-columns.js";
import { deviceGates, dropDisabledDeviceFields } from "../disabled-fields.js";
import type { StoredDeviceClass } from "./stored.js";
import { checkDeviceClass, checkDeviceClassUpdate } from "./validation.js";

export type { StoredDeviceClass };

export const deviceClassKind = builtInKind<StoredDeviceClass>("resource.k8s.io", "v1", "deviceclasses", {
  ownGates: deviceGates,
  strategy: {
    resetFields: [],
    prepareForCreate(deviceClass, context) {
      deviceClass.metadata.generation = 1;
      dropDisabledDeviceFields("DeviceClass", deviceClass, undefined, context);
    },
    validateCreate: checkDeviceClass,
    prepareForUpdate(deviceClass, old, context) {
      dropDisabledDeviceFields("DeviceClass", deviceClass, old, context);
      countGeneration(deviceClass, old, "spec");
    },
    validateUpdate: checkDeviceClassUpdate,
  },
  views: {},
  returnsDeletedObject: true,
  columns: nameAndAgeColumns,
});
