import type { IPAddress } from "@coxswain/api/networking/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { ipAddressColumns } from "./columns.js";
import { checkIpAddress, checkIpAddressUpdate } from "./validation.js";

export type StoredIpAddress = Stored<IPAddress, "spec">;

export const ipAddressKind = builtInKind<StoredIpAddress>("networking.k8s.io", "v1", "ipaddresses", {
  strategy: { resetFields: [], validateCreate: checkIpAddress, validateUpdate: checkIpAddressUpdate },
  views: {},
  columns: ipAddressColumns,
});
