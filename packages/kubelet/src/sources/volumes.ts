import type { KeyToPath, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";
import { type DownwardFacts, fieldValue, resourceValue } from "./downward-api.js";
import { MountError } from "./pod-sources.js";

/** What volumes are filled from. */
export interface VolumeObjects {
  configMap(name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  secret(name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  /** The volume that a claim is bound to. @throws MountError where it cannot be used */
  claim(name: string, isReadOnly: boolean): Promise<FileSource>;
  /** A token of the pod's service account. */
  token(request: { audience?: string; expirationSeconds?: number }): Promise<string>;
  readonly facts: DownwardFacts;
}

type Files = Map<string, Uint8Array>;

/** Makes one volume of a pod ready. @throws MountError */
export async function readVolume(
  pod: CachedPod,
  volume: DeepReadonly<Volume>,
  objects: VolumeObjects,
): Promise<FileSource> {
  const { persistentVolumeClaim, ephemeral, hostPath } = volume;
  if (hostPath) return { kind: "scratch", volume: hostPath.path };
  if (persistentVolumeClaim || ephemeral) {
    const name = persistentVolumeClaim?.claimName ?? `${pod.metadata?.name}-${volume.name}`;
    return objects.claim(name, persistentVolumeClaim?.readOnly ?? false);
  }
  if (!volume.configMap && !volume.secret && !volume.projected && !volume.downwardAPI)
    return { kind: "scratch", volume: volume.name };
  return filesOf(volume, (isFirst) => read(pod, volume, objects, isFirst));
}

/** Files that are read when they are first needed, and again when asked; the first look only checks that all is there. */
async function filesOf(volume: DeepReadonly<Volume>, fill: (isFirst: boolean) => Promise<Files>): Promise<FileSource> {
  let files: Files;
  try {
    files = await fill(true);
  } catch (error) {
    throw new MountError(`MountVolume.SetUp failed for volume "${volume.name}" : ${(error as Error).message}`);
  }
  return {
    kind: "files",
    read: () => files,
    mode: modesOf(volume),
    async refresh() {
      // What has gone meanwhile stays as it was.
      files = await fill(false).catch(() => files);
    },
  };
}

/** Pure: the permission bits of a volume's files: those of the item, else the volume's, else 0644. */
function modesOf({ configMap, secret, projected, downwardAPI }: DeepReadonly<Volume>): (path: string) => number {
  const sources = projected?.sources ?? [];
  const items = [
    configMap?.items,
    secret?.items,
    downwardAPI?.items,
    ...sources.flatMap((source) => [source.configMap?.items, source.secret?.items, source.downwardAPI?.items]),
  ].flatMap((each) => each ?? []);
  const own = new Map(items.flatMap(({ path, mode }) => (mode === undefined ? [] : [[path, mode] as const])));
  const { defaultMode = 0o644 } = configMap ?? secret ?? projected ?? downwardAPI ?? {};
  return (path) => own.get(path) ?? defaultMode;
}

async function read(
  pod: CachedPod,
  { configMap, secret, projected, downwardAPI }: DeepReadonly<Volume>,
  objects: VolumeObjects,
  isFirst: boolean,
): Promise<Files> {
  if (configMap) return keyed("configmap", configMap, configMap.name ?? "", objects);
  if (secret) return keyed("secret", secret, secret.secretName ?? "", objects);
  if (downwardAPI) return downward(pod, downwardAPI.items ?? [], objects);
  const files: Files = new Map();
  for (const source of projected?.sources ?? []) {
    const part = source.configMap
      ? await keyed("configmap", source.configMap, source.configMap.name ?? "", objects)
      : source.secret
        ? await keyed("secret", source.secret, source.secret.name ?? "", objects)
        : source.downwardAPI
          ? downward(pod, source.downwardAPI.items ?? [], objects)
          : new Map<string, Uint8Array>();
    for (const [path, content] of part) files.set(path, content);
    const { serviceAccountToken } = source;
    // A token is asked for only once something runs that could read it.
    if (serviceAccountToken)
      files.set(
        serviceAccountToken.path,
        isFirst ? new Uint8Array() : Buffer.from(await objects.token(serviceAccountToken)),
      );
  }
  return files;
}

async function keyed(
  kind: "configmap" | "secret",
  { items, optional = false }: { readonly items?: readonly DeepReadonly<KeyToPath>[]; readonly optional?: boolean },
  name: string,
  objects: VolumeObjects,
): Promise<Files> {
  const content = await (kind === "configmap" ? objects.configMap(name) : objects.secret(name));
  if (!content && !optional) throw new MountError(`${kind} "${name}" not found`);
  if (!items || items.length === 0) return new Map(content);
  const files: Files = new Map();
  for (const { key, path } of items) {
    const bytes = content?.get(key);
    if (bytes) files.set(path, bytes);
    else if (!optional)
      throw new MountError(
        kind === "configmap"
          ? `configmap references non-existent config key: ${key}`
          : `references non-existent secret key: ${key}`,
      );
  }
  return files;
}

function downward(
  pod: CachedPod,
  items: NonNullable<NonNullable<DeepReadonly<Volume>["downwardAPI"]>["items"]>,
  { facts }: VolumeObjects,
): Files {
  const files: Files = new Map();
  for (const { path, fieldRef, resourceFieldRef } of items) {
    const text = fieldRef
      ? fieldValue(pod, fieldRef.fieldPath, facts)
      : resourceFieldRef
        ? resourceValue(pod, resourceFieldRef, undefined, facts)
        : "";
    files.set(path, Buffer.from(text));
  }
  return files;
}
