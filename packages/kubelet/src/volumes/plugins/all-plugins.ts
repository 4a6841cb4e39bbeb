import type { PersistentVolumeSpec, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { VolumePlugin } from "../volume-plugin.js";
import { configMapPlugin } from "./config-map.js";
import { csiInlinePlugin, csiPersistentPlugin } from "./csi.js";
import { downwardApiPlugin } from "./downward-api.js";
import { emptyDirPlugin } from "./empty-dir.js";
import { hostPathPlugin } from "./host-path.js";
import { imagePlugin } from "./image.js";
import { localPlugin } from "./local.js";
import { projectedPlugin } from "./projected.js";
import { secretPlugin } from "./secret.js";

/** By the member of a pod's volume. Claims are resolved before: see `resolve-volume.ts`. */
const ofPods = {
  emptyDir: emptyDirPlugin,
  hostPath: hostPathPlugin,
  configMap: configMapPlugin,
  secret: secretPlugin,
  downwardAPI: downwardApiPlugin,
  projected: projectedPlugin,
  image: imagePlugin,
  csi: csiInlinePlugin,
} as const;

/** By the member of a PersistentVolume's spec. */
const ofPersistentVolumes = { hostPath: hostPathPlugin, local: localPlugin, csi: csiPersistentPlugin } as const;

export interface ChosenPlugin {
  readonly plugin: VolumePlugin<unknown>;
  readonly source: unknown;
}

/** Pure: who sets up a volume, or the type of source that nobody here does. */
export const choosePodPlugin = (volume: DeepReadonly<Volume>): ChosenPlugin | { readonly unsupported: string } =>
  choose(ofPods, volume, ["name"]);

export const choosePersistentPlugin = (
  spec: DeepReadonly<PersistentVolumeSpec>,
): ChosenPlugin | { readonly unsupported: string } => choose(ofPersistentVolumes, spec, notSources);

/** Members of a PersistentVolume's spec that are no source. */
const notSources = [
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
];

function choose(
  plugins: Readonly<Record<string, unknown>>,
  holder: object,
  others: readonly string[],
): ChosenPlugin | { readonly unsupported: string } {
  for (const [member, source] of Object.entries(holder)) {
    if (others.includes(member) || source === undefined) continue;
    const plugin = Object.hasOwn(plugins, member) ? (plugins[member] as VolumePlugin<unknown>) : undefined;
    return plugin ? { plugin, source } : { unsupported: member };
  }
  // A volume without a source is an emptyDir, as upstream takes it (pkg/apis/core/v1/defaults.go, SetDefaults_Volume).
  return { plugin: emptyDirPlugin as VolumePlugin<unknown>, source: {} };
}

/** By directory (`kubernetes.io~empty-dir`): those whose content is the pod's alone and goes with it. */
export const ownedDirectories: ReadonlySet<string> = new Set(
  [emptyDirPlugin, configMapPlugin, secretPlugin, downwardApiPlugin, projectedPlugin].map(
    ({ directory }) => `kubernetes.io~${directory}`,
  ),
);
