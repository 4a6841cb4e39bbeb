import { builtInKind } from "../../built-in/built-in-kind.js";
import { ipAddressColumns } from "./columns.js";
import type { StoredIpAddress } from "./stored.js";
import { checkIpAddress, checkIpAddressUpdate } from "./validation.js";

export type { StoredIpAddress };

export const ipAddressKind = builtInKind<StoredIpAddress>("networking.k8s.io", "v1", "ipaddresses", {
  strategy: { resetFields: [], validateCreate: checkIpAddress, validateUpdate: checkIpAddressUpdate },
  views: {},
  columns: ipAddressColumns,
});
