import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type IdRange, RuntimeError } from "../runtime/container-runtime.js";
import { podDirectory, podsDirectory } from "./pod-directories.js";

/** Ranges of pods are multiples of it (pkg/kubelet/userns/userns_manager.go, `userNsUnitLength`). */
export const idsUnit = 65_536;

/** Which users of the node are those of which pod. A range is written down in the pod's directory, in upstream's file, before it is used. */
export interface UserNamespaces {
  /** The same for a pod until it is released. @throws RuntimeError where none is free, or the pod's file is damaged */
  of(podUid: string): Promise<IdRange>;
  release(podUid: string): Promise<void>;
}

export interface UserNamespacesOptions {
  readonly rootDir: string;
  /** So many ranges must be there. */
  readonly maxPods: number;
  readonly idsPerPod: number;
  /** All that pods may have. */
  readonly ids: IdRange;
}

interface Mapping {
  readonly hostId: number;
  readonly containerId: number;
  readonly length: number;
}

const fileOf = (rootDir: string, podUid: string): string => join(podDirectory(rootDir, podUid), "userns");

/** With the ranges that an earlier kubelet gave. @throws Error where the IDs do not suffice, or a pod's file is damaged */
export async function openUserNamespaces({
  rootDir,
  maxPods,
  idsPerPod,
  ids,
}: UserNamespacesOptions): Promise<UserNamespaces> {
  refuseIds(ids, { maxPods, idsPerPod });
  const given = new Map<string, IdRange>();
  /** By the first of their IDs. */
  const taken = new Set<number>();
  let next = ids.firstId;
  const take = (podUid: string, range: IdRange): IdRange => {
    given.set(podUid, range);
    taken.add(range.firstId);
    return range;
  };
  const record = (podUid: string, text: string): IdRange => {
    const range = readMappings(text);
    if (range.length !== idsPerPod) throw new RuntimeError(`wrong user namespace length ${range.length}`);
    if (range.firstId % idsPerPod !== 0)
      throw new RuntimeError(`wrong user namespace offset specified ${range.firstId}`);
    if (range.firstId < ids.firstId || range.firstId + idsPerPod > ids.firstId + ids.length)
      throw new RuntimeError(`id ${range.firstId} is out of range`);
    if (taken.has(range.firstId))
      throw new RuntimeError(`range picked for pod ${JSON.stringify(podUid)} already taken`);
    return take(podUid, range);
  };
  /** The range after the last one: users of a pod that has just gone are not soon another's. */
  const allocate = (podUid: string): IdRange => {
    for (let tried = 0; tried < ids.length / idsPerPod; tried++) {
      const firstId = next;
      next = next + 2 * idsPerPod > ids.firstId + ids.length ? ids.firstId : next + idsPerPod;
      if (!taken.has(firstId)) return take(podUid, { firstId, length: idsPerPod });
    }
    throw new RuntimeError("create user namespace: could not find an empty slot to allocate a user namespace");
  };
  for (const podUid of await readdir(podsDirectory(rootDir)).catch(() => [])) {
    const text = await readIfThere(fileOf(rootDir, podUid));
    if (text !== undefined) record(podUid, text);
  }
  const release = async (podUid: string): Promise<void> => {
    await rm(fileOf(rootDir, podUid), { force: true });
    const range = given.get(podUid);
    if (!range) return;
    given.delete(podUid);
    taken.delete(range.firstId);
  };
  return {
    async of(podUid) {
      const known = given.get(podUid);
      if (known) return known;
      const range = allocate(podUid);
      try {
        await writeMappings(fileOf(rootDir, podUid), range);
        return range;
      } catch (error) {
        await release(podUid);
        throw error;
      }
    },
    release,
  };
}

/** As upstream's `MakeUserNsManager` (pkg/kubelet/userns/userns_manager.go); IDs of the node itself, from 0 on, are never a pod's. */
function refuseIds(
  { firstId, length }: IdRange,
  { maxPods, idsPerPod }: Pick<UserNamespacesOptions, "maxPods" | "idsPerPod">,
): void {
  if (firstId % idsPerPod !== 0)
    throw new Error(`kubelet user assigned ID ${firstId} is not a multiple of ${idsPerPod}`);
  if (firstId < idsPerPod)
    throw new Error(`kubelet user assigned ID ${firstId} must be greater or equal to ${idsPerPod}`);
  if (length % idsPerPod !== 0)
    throw new Error(`kubelet user assigned IDs length ${length} is not a multiple of ${idsPerPod}`);
  if (length / idsPerPod < maxPods)
    throw new Error(`kubelet user assigned IDs are not enough to support ${maxPods} pods`);
}

/** @throws RuntimeError */
function readMappings(text: string): IdRange {
  const invalid = (reason: string): RuntimeError => new RuntimeError(`invalid user namespace configuration: ${reason}`);
  const { uidMappings, gidMappings } = parse(text);
  const [uids, gids] = [uidMappings?.[0], gidMappings?.[0]];
  if (!uids || uidMappings?.length !== 1) throw invalid("no more than one mapping allowed.");
  if (!gids || gidMappings?.length !== 1) throw invalid("GID and UID mappings should be identical.");
  if (uids.hostId !== gids.hostId || uids.containerId !== gids.containerId || uids.length !== gids.length)
    throw invalid("GID and UID mapping should be identical");
  if (uids.containerId !== 0) throw invalid("UID 0 must be mapped");
  return { firstId: uids.hostId, length: uids.length };
}

function parse(text: string): { readonly uidMappings?: readonly Mapping[]; readonly gidMappings?: readonly Mapping[] } {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>;
  } catch (error) {
    throw new RuntimeError(`invalid user namespace mappings file: ${(error as Error).message}`, { cause: error });
  }
}

/** After a loss of power the pod has this range or none. */
async function writeMappings(path: string, { firstId, length }: IdRange): Promise<void> {
  const mapping: Mapping = { hostId: firstId, containerId: 0, length };
  const partial = `${path}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify({ uidMappings: [mapping], gidMappings: [mapping] }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return text === "" ? undefined : text;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
