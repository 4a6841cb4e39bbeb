import type { Plugin } from "../../framework/plugin.js";
import { errorStatus } from "../../framework/status.js";
import { waitUntilSettled } from "../../framework/wait-until-settled.js";
import type { Pod } from "../../pod/objects.js";
import { bindClaim } from "./bind-claim.js";
import { bindingReadiness, hasBindingConditions, isBindingLate } from "./binding-conditions.js";
import { type ClaimState, type DeviceContext, pluginName, stateOf } from "./claim-state.js";
import { createExtended, patchExtendedStatus } from "./extended-claim.js";
import { isReservedFor } from "./pod-claims.js";

interface BindTarget {
  readonly pod: Pod;
  readonly nodeName: string;
  readonly signal: AbortSignal;
}

/** The plugin's PreBind: writes allocations and reservations, then waits for the drivers. */
export const bindClaims =
  (context: DeviceContext): NonNullable<Plugin["preBind"]> =>
  async ({ pod: { pod }, state: cycleState }, nodeName, signal) => {
    const state = stateOf(cycleState);
    if (state === undefined) return undefined;
    try {
      for (const at of state.claims.keys()) await bindAt(context, state, at, { pod, nodeName, signal });
      await waitForDrivers(context, state, { pod, nodeName, signal });
      return undefined;
    } catch (error) {
      return errorStatus(pluginName, error);
    }
  };

async function bindAt(context: DeviceContext, state: ClaimState, at: number, target: BindTarget): Promise<void> {
  const { client, runtime, tracker } = context;
  const { pod, nodeName, signal } = target;
  const claim = state.claims[at];
  if (claim === undefined || isReservedFor(claim, pod)) return;
  const allocation = state.allocations[at];
  // On a node that counts the resources itself no claim is needed for them.
  if (claim === state.extended && allocation === undefined) return;
  const uid = claim.metadata?.uid ?? "";
  const written = claim === state.extended ? await createExtended(context, state, nodeName) : claim;
  const bound = await bindClaim(written, allocation, { client, runtime, pod, signal });
  tracker.assume(bound);
  tracker.removePending(uid);
  state.claims[at] = bound;
  if (claim === state.extended)
    await patchExtendedStatus(context, pod, bound, state.byNode.get(nodeName)?.mappings ?? []);
}

/** Until the drivers have done what has to be done before a pod is bound. */
async function waitForDrivers(
  context: DeviceContext,
  state: ClaimState,
  { pod, nodeName, signal }: BindTarget,
): Promise<void> {
  const { tracker, runtime, bindingTimeoutMs } = context;
  if (!state.claims.some(hasBindingConditions)) return;
  context.event(pod, {
    type: "Normal",
    reason: "BindingConditionsPending",
    action: "Scheduling",
    note: `waiting for binding conditions for device on node ${nodeName}`,
  });
  const isReady = (): boolean =>
    state.claims.every((known, at) => {
      const key = `${known.metadata?.namespace}/${known.metadata?.name}`;
      const claim = tracker.get(key);
      if (claim === undefined) throw new Error(`could not find ResourceClaim "${key}"`);
      state.claims[at] = claim;
      const { ready, failure } = bindingReadiness(claim);
      if (failure !== undefined) throw new Error(failure);
      if (!ready && isBindingLate(claim, runtime.clock.now(), bindingTimeoutMs))
        throw new Error(`device binding timeout: claim=${claim.metadata?.name}`);
      return ready;
    });
  await waitUntilSettled(isReady, { ...context, kinds: ["resourceClaims"], timeoutMs: bindingTimeoutMs, signal });
}
