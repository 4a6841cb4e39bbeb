import type { KeyToPath, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";
import { type DownwardFacts, fieldValue, resourceValue } from "./downward-api.js";
import { MountError, type PodPlace } from "./pod-sources.js";

/** What volumes are filled from. */
export interface VolumeObjects {
  configMap(pod: CachedPod, name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  secret(pod: CachedPod, name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  /** The volume that a claim is bound to. @throws MountError where it cannot be used */
  claim(pod: CachedPod, name: string, isReadOnly: boolean): Promise<FileSource>;
  /** A token of the pod's service account. */
  token(pod: CachedPod, request: { audience?: string; expirationSeconds?: number }): Promise<string>;
  facts(): DownwardFacts;
}

type Files = Map<string, Uint8Array>;

/** Makes one volume of a pod ready. @throws MountError */
export async function readVolume(
  place: PodPlace,
  volume: DeepReadonly<Volume>,
  objects: VolumeObjects,
): Promise<FileSource> {
  const { persistentVolumeClaim, ephemeral, hostPath } = volume;
  if (hostPath) return { kind: "scratch", volume: hostPath.path };
  if (persistentVolumeClaim || ephemeral) {
    const name = persistentVolumeClaim?.claimName ?? `${place.pod.metadata?.name}-${volume.name}`;
    return objects.claim(place.pod, name, persistentVolumeClaim?.readOnly ?? false);
  }
  if (!volume.configMap && !volume.secret && !volume.projected && !volume.downwardAPI)
    return { kind: "scratch", volume: volume.name };
  const files = new VolumeFiles(place, volume.name, objects);
  await files.check();
  return files;
}

/**
 * Files that are read when they are first needed, and again when asked; the first look only checks that all is there. A class that holds
 * nothing of the pod: nearly every pod has such a volume, and closures with the pod's first state were 4 KB of each.
 */
class VolumeFiles {
  readonly kind = "files";
  readonly #place: PodPlace;
  readonly #name: string;
  readonly #objects: VolumeObjects;
  #files: Files = new Map();

  constructor(place: PodPlace, name: string, objects: VolumeObjects) {
    this.#place = place;
    this.#name = name;
    this.#objects = objects;
  }

  /** @throws MountError */
  async check(): Promise<void> {
    try {
      this.#files = await this.#fill(true);
    } catch (error) {
      throw new MountError(`MountVolume.SetUp failed for volume "${this.#name}" : ${(error as Error).message}`);
    }
  }

  read(): ReadonlyMap<string, Uint8Array> {
    return this.#files;
  }

  mode(path: string): number {
    return modeOf(this.#volume, path);
  }

  async refresh(): Promise<void> {
    // What has gone meanwhile stays as it was.
    this.#files = await this.#fill(false).catch(() => this.#files);
  }

  /** Volumes of a pod cannot be changed. */
  get #volume(): DeepReadonly<Volume> {
    const { pod } = this.#place;
    return pod.spec?.volumes?.find(({ name }) => name === this.#name) ?? { name: this.#name };
  }

  #fill(isFirst: boolean): Promise<Files> {
    return read(this.#place.pod, this.#volume, this.#objects, isFirst);
  }
}

/** Pure: the permission bits of one of a volume's files: those of the item, else the volume's, else 0644. */
function modeOf({ configMap, secret, projected, downwardAPI }: DeepReadonly<Volume>, path: string): number {
  const sources = projected?.sources ?? [];
  const items = [
    configMap?.items,
    secret?.items,
    downwardAPI?.items,
    ...sources.flatMap((source) => [source.configMap?.items, source.secret?.items, source.downwardAPI?.items]),
  ].flatMap((each) => each ?? []);
  const own = items.findLast((item) => item.path === path && item.mode !== undefined)?.mode;
  const { defaultMode = 0o644 } = configMap ?? secret ?? projected ?? downwardAPI ?? {};
  return own ?? defaultMode;
}

async function read(
  pod: CachedPod,
  { configMap, secret, projected, downwardAPI }: DeepReadonly<Volume>,
  objects: VolumeObjects,
  isFirst: boolean,
): Promise<Files> {
  if (configMap) return keyed("configmap", configMap, configMap.name ?? "", { pod, objects });
  if (secret) return keyed("secret", secret, secret.secretName ?? "", { pod, objects });
  if (downwardAPI) return downward(pod, downwardAPI.items ?? [], objects);
  const files: Files = new Map();
  for (const source of projected?.sources ?? []) {
    const part = source.configMap
      ? await keyed("configmap", source.configMap, source.configMap.name ?? "", { pod, objects })
      : source.secret
        ? await keyed("secret", source.secret, source.secret.name ?? "", { pod, objects })
        : source.downwardAPI
          ? downward(pod, source.downwardAPI.items ?? [], objects)
          : new Map<string, Uint8Array>();
    for (const [path, content] of part) files.set(path, content);
    const { serviceAccountToken } = source;
    // A token is asked for only once something runs that could read it.
    if (serviceAccountToken)
      files.set(
        serviceAccountToken.path,
        isFirst ? noToken : Buffer.from(await objects.token(pod, serviceAccountToken)),
      );
  }
  return files;
}

const noToken = new Uint8Array();

async function keyed(
  kind: "configmap" | "secret",
  { items, optional = false }: { readonly items?: readonly DeepReadonly<KeyToPath>[]; readonly optional?: boolean },
  name: string,
  { pod, objects }: { readonly pod: CachedPod; readonly objects: VolumeObjects },
): Promise<Files> {
  const content = await (kind === "configmap" ? objects.configMap(pod, name) : objects.secret(pod, name));
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
  objects: VolumeObjects,
): Files {
  const facts = objects.facts();
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
