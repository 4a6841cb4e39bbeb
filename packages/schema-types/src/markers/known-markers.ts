import { type Doc, markerError } from "./read-doc.js";
import { schemaMarkerNames } from "./schema-markers.js";

const kindMarkers =
  "resource group version storageVersion unserved deprecatedVersion subresource scale printColumn selectableField labels annotations".split(
    " ",
  );
const otherMarkers = ["rbac", "webhook", "required", "optional"];
const known = new Set([...schemaMarkerNames, ...kindMarkers, ...otherMarkers]);

/** A misspelt marker would silently check nothing. */
export function refuseUnknownMarkers({ markers }: Doc): void {
  for (const marker of markers) {
    const name = marker.name.startsWith("items.") ? marker.name.slice("items.".length) : marker.name;
    if (known.has(name)) continue;
    const near = [...known].find((candidate) => isNear(candidate.toLowerCase(), name.toLowerCase()));
    throw markerError(
      marker,
      near === undefined ? "is no marker; docs/operator.md lists them" : `is no marker; did you mean @${near}?`,
    );
  }
}

/** Whether one letter was left out, added, changed or swapped with its neighbour. */
function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
