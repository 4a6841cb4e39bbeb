import type { DeepReadonly } from "@coxswain/api";
import type { Volume, VolumeProjection } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { trimEndOf } from "@coxswain/apimachinery/text";
import { findOverlapping } from "./find-overlapping.js";

interface Target {
  readonly path: string;
  readonly source: string;
}

const shown = ({ path, source }: Target): string => (source === "" ? quoteGo(path) : `${quoteGo(path)} (${source})`);

/** Files of one volume that would overwrite each other, or one where another needs a folder. */
export function overlapWarnings(volumes: readonly DeepReadonly<Volume>[]): string[] {
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const warn = (kind: string, targets: readonly Target[]): string[] =>
      overlapsIn(targets).map((overlap) => warning(name, kind, overlap));
    return [
      ...(configMap?.items ? warn(`ConfigMap ${quoteGo(configMap.name ?? "")}`, targetsOf(configMap.items)) : []),
      ...(secret?.items ? warn(`Secret ${quoteGo(secret.secretName ?? "")}`, targetsOf(secret.items)) : []),
      ...(downwardAPI?.items ? warn("DownwardAPI", targetsOf(downwardAPI.items)) : []),
      ...(projected ? projectedOverlaps(name, projected.sources ?? []) : []),
    ];
  });
}

function projectedOverlaps(name: string, sources: readonly DeepReadonly<VolumeProjection>[]): string[] {
  const targets = sources.map((source) => (Object.keys(source).length === 0 ? undefined : projectedTargets(source)));
  const overlaps = new Map<Target, Overlap[]>();
  for (const overlap of overlapsIn(targets.flatMap((each) => each ?? []))) {
    const known = overlaps.get(overlap.target);
    if (known) known.push(overlap);
    else overlaps.set(overlap.target, [overlap]);
  }
  return targets.flatMap((each) =>
    each
      ? each.flatMap((target) => overlaps.get(target) ?? []).map((overlap) => warning(name, "Projected", overlap))
      : [`volume ${quoteGo(name)} (Projected) has no sources provided`],
  );
}

const warning = (name: string, kind: string, { target, other }: Overlap): string =>
  `volume ${quoteGo(name)} (${kind}): overlapping paths: ${shown(target)} with ${shown(other)}`;

const targetsOf = (items: readonly { readonly path: string }[], source = ""): Target[] =>
  items.map(({ path }) => ({ path: trimEndOf(path, "/"), source }));

function projectedTargets({
  configMap,
  secret,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
  podCertificate,
}: DeepReadonly<VolumeProjection>): Target[] {
  if (configMap?.items) return targetsOf(configMap.items, `ConfigMap ${quoteGo(configMap.name ?? "")}`);
  if (secret?.items) return targetsOf(secret.items, `Secret ${quoteGo(secret.name ?? "")}`);
  if (downwardAPI?.items) return targetsOf(downwardAPI.items, "DownwardAPI");
  if (serviceAccountToken) return [{ path: trimEndOf(serviceAccountToken.path, "/"), source: "ServiceAccountToken" }];
  if (clusterTrustBundle)
    return [
      {
        path: trimEndOf(clusterTrustBundle.path, "/"),
        source: `ClusterTrustBundle ${quoteGo(clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? "")}`,
      },
    ];
  const { certificateChainPath = "", keyPath = "", credentialBundlePath = "" } = podCertificate ?? {};
  const files = [
    { path: certificateChainPath, source: "PodCertificate chain" },
    { path: keyPath, source: "PodCertificate key" },
    { path: credentialBundlePath, source: "PodCertificate credential bundle" },
  ];
  return files
    .filter(({ path }) => path !== "")
    .map(({ path, source: file }) => ({ path: trimEndOf(path, "/"), source: file }));
}

interface Overlap {
  readonly target: Target;
  /** One before it. */
  readonly other: Target;
}

/** A client sees 4 KiB of warnings (upstream's limit for the header); more than these are not made. */
const mostCharacters = 64 * 1024;
const mostOverlaps = 1000;
/** Among paths that overlap with some other. Beyond them the rest is left out, too. */
const mostComparisons = 250_000;

/** Each target with those before it that it overlaps with, in upstream's order. */
function overlapsIn(targets: readonly Target[]): Overlap[] {
  const found: Overlap[] = [];
  const candidates = findOverlapping(targets, ({ path }) => path);
  let characters = 0;
  let comparisons = 0;
  for (const [at, target] of candidates.entries()) {
    for (const other of candidates.slice(0, at)) {
      const isOver = found.length >= mostOverlaps || characters > mostCharacters || comparisons >= mostComparisons;
      if (isOver) return found;
      comparisons += 1;
      if (!overlap(target.path, other.path)) continue;
      characters += target.path.length + other.path.length;
      found.push({ target, other });
    }
  }
  return found;
}

const overlap = (a: string, b: string): boolean =>
  a === b || (a.startsWith(b) && a.charAt(b.length) === "/") || (b.startsWith(a) && b.charAt(a.length) === "/");
