import { getOwn } from "@coxswain/apimachinery/own";
import { migratedTo, provisionedBy } from "../volumes/annotations.js";
import type { CachedClass, CachedVolume } from "../volumes/cached-volumes.js";
import { migratedDriver } from "../volumes/csi-migration.js";

/** The only plugins that the controller manager itself still makes, deletes or empties volumes with. Neither is for production. */
export const hostPathPlugin = "kubernetes.io/host-path";
const nfsPlugin = "kubernetes.io/nfs";

const isInTree = (name: string): boolean => name.startsWith("kubernetes.io/");

export type Provisioner =
  /** A program outside makes the volume. */
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "hostPath" }
  | { readonly kind: "unknown"; readonly message: string };

/** Pure: who makes volumes of a class. */
export function provisionerOf({ provisioner }: CachedClass): Provisioner {
  const driver = migratedDriver(provisioner);
  if (driver || !isInTree(provisioner)) return { kind: "external", name: driver ?? provisioner };
  if (provisioner === hostPathPlugin) return { kind: "hostPath" };
  const message =
    provisioner === nfsPlugin
      ? "no provisionable volume plugin matched"
      : `no volume plugin matched name: ${provisioner}`;
  return { kind: "unknown", message };
}

export type Deleter =
  | { readonly kind: "external" }
  | { readonly kind: "hostPath"; readonly path: string }
  | { readonly kind: "unknown"; readonly message: string };

/** Pure: who deletes the storage of a volume. */
export function deleterOf({ metadata, spec }: CachedVolume): Deleter {
  const maker = getOwn(metadata?.annotations, provisionedBy);
  if (maker) {
    if (maker === hostPathPlugin) return hostPathDeleter(spec?.hostPath?.path, metadata?.name);
    if (!isInTree(maker)) return { kind: "external" };
    const message =
      maker === nfsPlugin ? "no deletable volume plugin matched" : `no volume plugin matched name: ${maker}`;
    return { kind: "unknown", message };
  }
  if (getOwn(metadata?.annotations, migratedTo) !== undefined || spec?.csi) return { kind: "external" };
  if (spec?.hostPath) return hostPathDeleter(spec.hostPath.path, metadata?.name);
  const problem = spec?.nfs ? "no deletable volume plugin matched" : "no volume plugin matched";
  return {
    kind: "unknown",
    message: `error getting deleter volume plugin for volume ${JSON.stringify(metadata?.name)}: ${problem}`,
  };
}

function hostPathDeleter(path: string | undefined, name: string | undefined): Deleter {
  if (path === undefined) {
    const problem = "spec.PersistentVolumeSource.HostPath is nil";
    return { kind: "unknown", message: `failed to create deleter for volume ${JSON.stringify(name)}: ${problem}` };
  }
  const at = path.indexOf("/tmp/");
  if (at < 0 || path.length === at + "/tmp/".length)
    return { kind: "unknown", message: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
  return { kind: "hostPath", path };
}
