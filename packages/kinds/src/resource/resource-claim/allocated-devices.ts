import type { DeepReadonly } from "@coxswain/api";
import type { AllocationResult, DeviceRequestAllocationResult } from "@coxswain/api/resource/v1";
import { goJson } from "@coxswain/apimachinery/field";

/** A device, or a share of one, by name, as messages show it. */
export const sharedDevice = ({
  driver,
  pool,
  device,
  shareID = "",
}: DeepReadonly<Pick<DeviceRequestAllocationResult, "driver" | "pool" | "device" | "shareID">>): string =>
  goJson({ Driver: driver, Pool: pool, Device: device, ShareID: shareID });

export const sharedDevicesOf = (allocation: DeepReadonly<AllocationResult> | undefined): ReadonlySet<string> =>
  new Set((allocation?.devices?.results ?? []).map(sharedDevice));
