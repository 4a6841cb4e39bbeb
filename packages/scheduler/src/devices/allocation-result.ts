import { equalJson } from "@coxswain/apimachinery/json";
import type { ResourceClaim } from "../framework/cluster-objects.js";
import type { FoundAllocation, FoundDevice } from "./allocate-devices.js";
import { fullName, requestsOf } from "./device-request.js";

export type AllocationResult = NonNullable<NonNullable<ResourceClaim["status"]>["allocation"]>;
type DeviceResult = NonNullable<NonNullable<AllocationResult["devices"]>["results"]>[number];
type Configuration = NonNullable<NonNullable<AllocationResult["devices"]>["config"]>[number];
type NodeSelector = NonNullable<AllocationResult["nodeSelector"]>;
type Requirement = NonNullable<NodeSelector["nodeSelectorTerms"][number]["matchFields"]>[number];

/** What was found, as it stands in the status of the claim. `newShareId` makes a UID for each share of a device. */
export function allocationResult(
  found: FoundAllocation,
  { nodeName, newShareId }: { readonly nodeName: string; newShareId(): string },
): AllocationResult {
  const config = configurationsOf(found);
  const nodeSelector = nodeSelectorOf(found.devices, nodeName);
  return {
    devices: {
      results: found.devices.map((device) => resultOf(device, newShareId)),
      ...(config.length > 0 && { config }),
    },
    ...(nodeSelector && { nodeSelector }),
  };
}

function resultOf({ request, device, slice, consumed }: FoundDevice, newShareId: () => string): DeviceResult {
  const { bindingConditions, bindingFailureConditions } = device;
  return {
    request: fullName(request),
    driver: slice.spec.driver,
    pool: slice.spec.pool.name,
    device: device.name,
    ...(request.adminAccess && { adminAccess: true }),
    ...(request.tolerations && { tolerations: request.tolerations }),
    ...(bindingConditions && { bindingConditions }),
    ...(bindingFailureConditions && { bindingFailureConditions }),
    ...(consumed && { shareID: newShareId() }),
    ...(consumed &&
      consumed.size > 0 && {
        consumedCapacity: Object.fromEntries([...consumed].map(([name, amount]) => [name, amount.toString()])),
      }),
  };
}

/** First those of the classes, each once for all requests of the class, then those of the claim that concern what was taken. */
function configurationsOf({ claim, taken }: FoundAllocation): readonly Configuration[] {
  const byClass = new Map<string, string[]>();
  const fromClasses = taken.flatMap(({ request, deviceClass }) => {
    const name = deviceClass.metadata?.name ?? "";
    const known = byClass.get(name);
    if (known) {
      known.push(fullName(request));
      return [];
    }
    const requests = [fullName(request)];
    byClass.set(name, requests);
    return (deviceClass.spec.config ?? []).map(
      (configuration): Configuration => ({ ...configuration, source: "FromClass", requests }),
    );
  });
  const fromClaim = (claim.spec.devices?.config ?? []).flatMap((configuration) => {
    const copy: Configuration = { ...configuration, source: "FromClaim" };
    const { requests = [] } = configuration;
    if (requests.length === 0) return copy;
    return requestsOf(claim).flatMap(({ name }, at) => {
      const request = taken[at]?.request;
      return requests.includes(name) || (request && requests.includes(fullName(request))) ? copy : [];
    });
  });
  return [...fromClasses, ...fromClaim];
}

/** The nodes that can reach all of the devices; undefined for all nodes. */
function nodeSelectorOf(devices: readonly FoundDevice[], nodeName: string): NodeSelector | undefined {
  const matchFields: Requirement[] = [];
  const matchExpressions: Requirement[] = [];
  for (const { device, slice } of devices) {
    const choice = slice.spec.perDeviceNodeSelection === true ? device : slice.spec;
    if (choice.nodeName !== undefined || device.bindsToNode)
      return {
        nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] }],
      };
    const terms = choice.nodeSelector?.nodeSelectorTerms ?? [];
    if (terms.length > 1) throw new Error(`unsupported ResourceSlice.NodeSelector with ${terms.length} terms`);
    addNew(matchFields, terms[0]?.matchFields);
    addNew(matchExpressions, terms[0]?.matchExpressions);
  }
  if (matchFields.length === 0 && matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length > 0 && { matchExpressions }),
        ...(matchFields.length > 0 && { matchFields }),
      },
    ],
  };
}

function addNew(to: Requirement[], from: readonly Requirement[] = []): void {
  for (const requirement of from) if (!to.some((known) => equalJson(known, requirement))) to.push(requirement);
}
