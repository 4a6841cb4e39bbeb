import { ownEntries } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { type CachedPod, containersOf, initContainersOf } from "../objects/cached-pod.js";

/**
 * Pure: the mount option for the size of pages that a medium (`HugePages`, `HugePages-2Mi`) means in this pod.
 * As `getPageSizeMountOption` of pkg/volume/emptydir/empty_dir.go. @throws Error
 */
export function hugePagesMount(medium: string, pod: CachedPod): string {
  const requests = [
    pod.spec?.resources,
    ...[...containersOf(pod), ...initContainersOf(pod)].map((each) => each.resources),
  ];
  const sizes = new Set(
    requests
      .flatMap((resources) => ownEntries(resources?.requests).map(([name]) => name))
      .filter((name) => name.startsWith("hugepages-"))
      .map((name) => name.slice("hugepages-".length)),
  );
  const wanted = medium === "HugePages" ? undefined : medium.slice("HugePages-".length);
  const fitting = [...sizes].filter((size) => wanted === undefined || quantityValue(size) === quantityValue(wanted));
  if (wanted === undefined && fitting.length > 1)
    throw new Error(`medium: ${medium} can't be used if container requests multiple huge page sizes`);
  if (fitting[0] === undefined)
    throw new Error(`medium ${medium}: hugePages storage requested, but there is no resource request for huge pages`);
  return `pagesize=${fitting[0]}`;
}
