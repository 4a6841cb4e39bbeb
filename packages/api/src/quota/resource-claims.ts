import { getOwn } from "@coxswain/apimachinery/own";
import { Quantity } from "@coxswain/apimachinery/quantity";
import type { Pod } from "../gen/types/core-v1.js";
import type { DeviceClass, ResourceClaim } from "../gen/types/resource-v1.js";
import type { DeepReadonly } from "../types/index.js";
import { type Amounts, one, zero } from "./amounts.js";
import { isExtendedForQuota } from "./pods.js";
import type { UsageEvaluator } from "./usage-evaluator.js";

type Claim = DeepReadonly<ResourceClaim>;

const countOfClaims = "count/resourceclaims.resource.k8s.io";
const ofClass = ".deviceclass.resource.k8s.io/devices";
const implicit = "requests.deviceclass.resource.kubernetes.io/";
/** A claim for "all" devices is counted as the most that a claim can get. */
const mostDevices = 32;

/** What a claim's usage depends on besides the claim. */
export interface ResourceClaimEvaluatorDeps {
  deviceClasses(): Iterable<DeepReadonly<DeviceClass>>;
  deviceClass(name: string): DeepReadonly<DeviceClass> | undefined;
  claimsIn(namespace: string): Iterable<Claim>;
  pod(namespace: string, name: string): DeepReadonly<Pod> | undefined;
  podUsage(pod: DeepReadonly<Pod>): Amounts;
  readonly gates: { enabled(gate: string): boolean };
}

/** Claims, and the devices that they ask for by class. */
export function createResourceClaimEvaluator(deps: ResourceClaimEvaluatorDeps): UsageEvaluator {
  const { gates } = deps;
  const extendedNameOf = (name: string): string | undefined => deps.deviceClass(name)?.spec.extendedResourceName;
  const extended = (): boolean => gates.enabled("DRAExtendedResource");

  function counts(name: string): boolean {
    if (name === countOfClaims || name.endsWith(ofClass)) return true;
    if (!extended()) return false;
    if (name.startsWith(implicit) && extendedNameOf(name.slice(implicit.length))) return true;
    if (!isExtendedForQuota(name)) return false;
    const resource = name.slice("requests.".length);
    return (
      [...deps.deviceClasses()].some(({ spec }) => spec.extendedResourceName === resource) ||
      (name.startsWith(implicit) && deps.deviceClass(name.slice(implicit.length)) !== undefined)
    );
  }

  return {
    counts,
    usage(object) {
      const claim = object as Claim;
      const usage = new Map<string, Quantity>([[countOfClaims, one]]);
      for (const request of claim.spec.devices?.requests ?? [])
        for (const [name, devices] of devicesOf(request))
          usage.set(name, (usage.get(name) ?? zero).add(Quantity.of(devices)));
      return extended() ? withExtended(usage, ownerUsage(deps, claim), extendedNameOf) : usage;
    },
  };
}

type Request = NonNullable<NonNullable<Claim["spec"]["devices"]>["requests"]>[number];

/** Of several that would do, the greediest one of each class. */
function devicesOf({ exactly, firstAvailable = [] }: Request): Map<string, number> {
  const devices = new Map<string, number>();
  for (const { deviceClassName, allocationMode, count } of firstAvailable.length > 0
    ? firstAvailable
    : exactly
      ? [exactly]
      : []) {
    const name = `${deviceClassName}${ofClass}`;
    const wanted = allocationMode === "ExactCount" ? Number(count ?? 0) : allocationMode === "All" ? mostDevices : 0;
    devices.set(name, Math.max(devices.get(name) ?? 0, wanted));
  }
  return devices;
}

/** The same devices by their names as extended resources, less what the pod that they are for is charged with already. */
function withExtended(
  usage: Map<string, Quantity>,
  owner: Amounts,
  extendedNameOf: (name: string) => string | undefined,
): Amounts {
  const all = new Map(usage);
  for (const [name, quantity] of usage) {
    if (!name.endsWith(ofClass) || name === ofClass) continue;
    const deviceClass = name.slice(0, -ofClass.length);
    const other = extendedNameOf(deviceClass);
    for (const each of [`${implicit}${deviceClass}`, ...(other ? [`requests.${other}`] : [])]) {
      const charged = owner.get(each);
      const rest = charged ? quantity.sub(charged) : quantity;
      if (rest.sign > 0) all.set(each, rest);
    }
  }
  return all;
}

const nothing: Amounts = new Map();

/** What the pod that such a claim was made for is charged with, if it is the first claim that was made for it. */
function ownerUsage({ pod: podOf, claimsIn, podUsage }: ResourceClaimEvaluatorDeps, claim: Claim): Amounts {
  const { namespace = "", name = "", creationTimestamp = "" } = claim.metadata ?? {};
  const owner = ownerOf(claim);
  const pod = owner && podOf(namespace, owner.name);
  if (!pod || pod.metadata?.uid !== owner.uid) return nothing;
  const named = pod.status?.extendedResourceClaimStatus;
  if (named && named.resourceClaimName !== name) return nothing;
  const earlier = ({ metadata }: Claim): boolean =>
    (metadata?.creationTimestamp ?? "") < creationTimestamp ||
    (metadata?.creationTimestamp === creationTimestamp && (metadata.name ?? "") < name);
  if (!named && [...claimsIn(namespace)].some((other) => ownerOf(other)?.uid === owner.uid && earlier(other)))
    return nothing;
  return podUsage(pod);
}

function ownerOf({ metadata }: Claim): { name: string; uid: string } | undefined {
  if (getOwn(metadata?.annotations, "resource.kubernetes.io/extended-resource-claim") !== "true") return undefined;
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  return owner?.kind === "Pod" && owner.apiVersion === "v1" ? owner : undefined;
}
