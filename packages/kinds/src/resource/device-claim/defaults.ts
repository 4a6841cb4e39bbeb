import type { ExactDeviceRequest } from "@coxswain/api/resource/v1";
import type { TypeDefaults } from "../../defaults/type-defaults.js";

function setRequestDefaults(request: Pick<ExactDeviceRequest, "allocationMode" | "count">): void {
  request.allocationMode ||= "ExactCount";
  if (request.allocationMode === "ExactCount") request.count ||= 1;
}

export const claimDefaults: TypeDefaults = {
  "io.k8s.api.resource.v1.ExactDeviceRequest": setRequestDefaults,
  "io.k8s.api.resource.v1.DeviceSubRequest": setRequestDefaults,
};
