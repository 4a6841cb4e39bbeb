import type { DeepReadonly } from "@coxswain/api";
import type { Volume, VolumeProjection } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";

interface Target {
  readonly path: string;
  readonly source: string;
}

const shown = ({ path, source }: Target): string => (source === "" ? quoteGo(path) : `${quoteGo(path)} (${source})`);

/** Files of one volume that would overwrite each other, or one where another needs a folder. */
export function overlapWarnings(volumes: readonly DeepReadonly<Volume>[]): string[] {
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const warn = (kind: string, targets: readonly Target[]): string[] => overlapsIn(name, kind, targets, []);
    return [
      ...(configMap?.items ? warn(`ConfigMap ${quoteGo(configMap.name ?? "")}`, targetsOf(configMap.items)) : []),
      ...(secret?.items ? warn(`Secret ${quoteGo(secret.secretName ?? "")}`, targetsOf(secret.items)) : []),
      ...(downwardAPI?.items ? warn("DownwardAPI", targetsOf(downwardAPI.items)) : []),
      ...(projected ? projectedOverlaps(name, projected.sources ?? []) : []),
    ];
  });
}

function projectedOverlaps(name: string, sources: readonly DeepReadonly<VolumeProjection>[]): string[] {
  const before: Target[] = [];
  return sources.flatMap((source) =>
    Object.keys(source).length === 0
      ? [`volume ${quoteGo(name)} (Projected) has no sources provided`]
      : overlapsIn(name, "Projected", projectedTargets(source), before),
  );
}

const targetsOf = (items: readonly { readonly path: string }[], source = ""): Target[] =>
  items.map(({ path }) => ({ path, source }));

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
  if (serviceAccountToken) return [{ path: serviceAccountToken.path, source: "ServiceAccountToken" }];
  if (clusterTrustBundle)
    return [
      {
        path: clusterTrustBundle.path,
        source: `ClusterTrustBundle ${quoteGo(clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? "")}`,
      },
    ];
  const { certificateChainPath = "", keyPath = "", credentialBundlePath = "" } = podCertificate ?? {};
  const files = [
    { path: certificateChainPath, source: "PodCertificate chain" },
    { path: keyPath, source: "PodCertificate key" },
    { path: credentialBundlePath, source: "PodCertificate credential bundle" },
  ];
  return files.filter(({ path }) => path !== "");
}

/** `before` holds the files of earlier sources, and takes these. */
function overlapsIn(name: string, kind: string, targets: readonly Target[], before: Target[]): string[] {
  const found: string[] = [];
  for (const { path, source } of targets) {
    const target = { path: path.replace(/\/+$/, ""), source };
    for (const other of before)
      if (overlap(target.path, other.path))
        found.push(`volume ${quoteGo(name)} (${kind}): overlapping paths: ${shown(target)} with ${shown(other)}`);
    before.push(target);
  }
  return found;
}

const overlap = (a: string, b: string): boolean =>
  a !== "" && b !== "" && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));
