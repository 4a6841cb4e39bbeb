import type { Plugin } from "../../framework/plugin.js";
import { errorStatus, unschedulable } from "../../framework/status.js";
import { namespaceOf, uidOf } from "../../pod/objects.js";
import { deleteClaim, releaseClaim } from "./bind-claim.js";
import { type DeviceContext, pluginName, stateOf } from "./claim-state.js";
import { isWritten } from "./extended-claim.js";
import { isReservedFor } from "./pod-claims.js";

/** The plugin's PostFilter: gives up one allocation that nobody else uses, so that the next attempt may find another node. */
export const deallocateOne =
  (context: DeviceContext): NonNullable<Plugin["postFilter"]> =>
  async ({ pod: { pod }, state: cycleState }) => {
    const state = stateOf(cycleState);
    if (state === undefined) return { status: unschedulable(pluginName, "no new claims to deallocate") };
    try {
      for (const claim of state.unavailable) {
        const users = claim.status?.reservedFor ?? [];
        if (claim === state.extended || !users.every(({ uid }) => uid === uidOf(pod)) || users.length > 1) continue;
        const { allocation: _, reservedFor: __, devices: ___, ...status } = claim.status ?? {};
        await context.client.resource.v1
          .resourceclaims(namespaceOf(pod))
          .updateStatus({ ...structuredClone(claim), status } as never);
        return { status: unschedulable(pluginName, "deallocation of ResourceClaim completed") };
      }
      if (state.extended && isWritten(state.extended)) {
        await deleteClaim(state.extended, context);
        return { status: unschedulable(pluginName, "deletion of ResourceClaim completed") };
      }
      return { status: unschedulable(pluginName, "still not schedulable") };
    } catch (error) {
      return { status: errorStatus(pluginName, error) };
    }
  };

/** The plugin's Unreserve: takes back what Reserve assumed and what PreBind wrote. */
export const releaseClaims =
  (context: DeviceContext): NonNullable<Plugin["unreserve"]> =>
  ({ pod: { pod }, state: cycleState }) => {
    const { tracker, client } = context;
    const state = stateOf(cycleState);
    for (const claim of state?.claims ?? []) {
      tracker.removePending(claim.metadata?.uid ?? "");
      tracker.restore(claim);
      if (claim.status?.allocation === undefined || !isReservedFor(claim, pod)) continue;
      context.inBackground(async () => {
        if (claim === state?.extended) await deleteClaim(claim, context);
        else await releaseClaim(client, claim, pod);
      });
    }
  };
