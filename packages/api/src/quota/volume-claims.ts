import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import type { PersistentVolumeClaim } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";
import { one } from "./amounts.js";
import { fitsScope, type UsageEvaluator } from "./usage-evaluator.js";

type Claim = DeepReadonly<PersistentVolumeClaim>;

const names = new Set(["count/persistentvolumeclaims", "persistentvolumeclaims", "requests.storage"]);
const ofClass = ".storageclass.storage.k8s.io/";

/** Claims and what they store, in all and by storage class. */
export const volumeClaimEvaluator: UsageEvaluator = {
  counts: (name) =>
    names.has(name) || name.endsWith(`${ofClass}persistentvolumeclaims`) || name.endsWith(`${ofClass}requests.storage`),
  isInScope(scope, object) {
    if (scope.scopeName !== "VolumeAttributesClass") return false;
    const classes = attributesClasses(object as Claim);
    return classes.length === 0
      ? scope.operator !== "Exists" && fitsScope(scope, undefined)
      : classes.some((name) => fitsScope(scope, name));
  },
  usage(object) {
    const claim = object as Claim;
    const storageClass =
      getOwn(claim.metadata?.annotations, "volume.beta.kubernetes.io/storage-class") ??
      claim.spec?.storageClassName ??
      "";
    const storage = storageOf(claim);
    const usage = new Map<string, Quantity>([
      ["persistentvolumeclaims", one],
      ["count/persistentvolumeclaims", one],
    ]);
    if (storage) usage.set("requests.storage", storage);
    if (storageClass === "") return usage;
    usage.set(`${storageClass}${ofClass}persistentvolumeclaims`, one);
    if (storage) usage.set(`${storageClass}${ofClass}requests.storage`, storage);
    return usage;
  },
};

/** In whole bytes; what is allocated already when that is more. */
function storageOf({ spec, status }: Claim): Quantity | undefined {
  const [asked, allocated] = [
    getOwn(spec?.resources?.requests, "storage"),
    getOwn(status?.allocatedResources, "storage"),
  ];
  if (asked === undefined) return undefined;
  const [request, given] = [parseQuantity(asked), allocated === undefined ? undefined : parseQuantity(allocated)];
  return (given && given.compare(request) > 0 ? given : request).roundUp(0);
}

/** The class it shall have, has, and is on its way to. */
const attributesClasses = ({ spec, status }: Claim): string[] =>
  [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => !!name);
