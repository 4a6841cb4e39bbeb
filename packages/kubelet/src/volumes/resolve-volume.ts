import type { PersistentVolume, PersistentVolumeClaim, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { VolumeContents } from "../sources/volume-contents.js";
import { type ChosenPlugin, choosePersistentPlugin, choosePodPlugin } from "./plugins/all-plugins.js";
import type { VolumeRequest } from "./volume-plugin.js";

export interface ResolvedVolume extends ChosenPlugin {
  readonly request: VolumeRequest;
}

/** A volume cannot be mounted, for a reason that no step of mounting has: its claim is not ready, or nobody here mounts its type. */
export class UnresolvedVolumeError extends Error {
  override readonly name = "UnresolvedVolumeError";
}

/** Who sets up a volume of a pod, and with what: a claim is followed to its PersistentVolume. @throws UnresolvedVolumeError */
export async function resolveVolume(
  pod: CachedPod,
  volume: DeepReadonly<Volume>,
  contents: VolumeContents,
): Promise<ResolvedVolume> {
  const { persistentVolumeClaim, ephemeral, ...rest } = volume;
  if (!persistentVolumeClaim && !ephemeral) {
    const chosen = supported(choosePodPlugin(rest));
    const request = { pod, volume: volume.name, name: volume.name, isReadOnly: false, mountOptions: [] };
    return { ...chosen, request };
  }
  const claimName = persistentVolumeClaim?.claimName ?? `${nameOf(pod)}-${volume.name}`;
  const claim = await fetched(contents.claim(namespaceOf(pod), claimName), "failed to fetch PVC from API server").catch(
    (error: Error) => refuse(pod, claimName, error.message),
  );
  const problem = claimProblem(claim) ?? (ephemeral && ownerProblem(pod, claim));
  if (problem !== undefined) return refuse(pod, claimName, problem);
  const name = claim.spec?.volumeName ?? "";
  const found = await fetched(contents.persistentVolume(name), `failed to fetch PV ${name} from API server`).catch(
    (error: Error) => refuse(pod, claimName, error.message),
  );
  const mismatch = bindingProblem(found, claim) ?? modeProblem(pod, volume.name, found);
  if (mismatch !== undefined) return refuse(pod, claimName, mismatch);
  return {
    ...supported(choosePersistentPlugin(found.spec ?? {})),
    request: {
      pod,
      volume: volume.name,
      name,
      isReadOnly: persistentVolumeClaim?.readOnly ?? false,
      mountOptions: found.spec?.mountOptions ?? [],
      persistentVolume: found,
      claim,
    },
  };
}

function supported(chosen: ChosenPlugin | { readonly unsupported: string }): ChosenPlugin {
  if ("plugin" in chosen) return chosen;
  const advice = chosen.unsupported === "flexVolume" ? ": use a CSI driver" : "";
  throw new UnresolvedVolumeError(`${chosen.unsupported} volumes are not supported on this node${advice}`);
}

function refuse(pod: CachedPod, claim: string, problem: string): never {
  throw new UnresolvedVolumeError(`error processing PVC ${namespaceOf(pod)}/${claim}: ${problem}`);
}

const fetched = <T>(object: Promise<T>, words: string): Promise<T> =>
  object.catch((error: unknown) => {
    throw new Error(`${words}: ${(error as Error).message}`, { cause: error });
  });

/** Pure: why a claim cannot be used, in the words of `getPVCExtractPV` of pkg/kubelet/volumemanager/populator. */
export function claimProblem({ metadata, spec, status }: DeepReadonly<PersistentVolumeClaim>): string | undefined {
  const isProtected = metadata?.finalizers?.includes("kubernetes.io/pvc-protection");
  if (metadata?.deletionTimestamp && !isProtected) return "PVC is being deleted";
  if (status?.phase !== "Bound") return "PVC is not bound";
  return spec?.volumeName ? undefined : "PVC has empty pvc.Spec.VolumeName";
}

/** Pure: a generic ephemeral volume takes only a claim that was made for the pod. */
export function ownerProblem(pod: CachedPod, { metadata }: DeepReadonly<PersistentVolumeClaim>): string | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (owner?.uid === uidOf(pod)) return undefined;
  const names = [`${metadata?.namespace}/${metadata?.name}`, `${namespaceOf(pod)}/${nameOf(pod)}`];
  return `PVC ${names[0]} was not created for pod ${names[1]} (pod is not owner)`;
}

/** Pure: the volume must be bound to this very claim. */
export function bindingProblem(
  { metadata, spec }: DeepReadonly<PersistentVolume>,
  claim: DeepReadonly<PersistentVolumeClaim>,
): string | undefined {
  const name = metadata?.name;
  if (!spec?.claimRef)
    return `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`;
  const { uid } = claim.metadata ?? {};
  if (spec.claimRef.uid === uid) return undefined;
  return `found PV object ${name} but its pv.Spec.ClaimRef.UID ${spec.claimRef.uid} does not point to claim.UID ${uid}`;
}

/** Pure: block devices are for `volumeDevices`, file systems for `volumeMounts`. */
function modeProblem(pod: CachedPod, name: string, { spec }: DeepReadonly<PersistentVolume>): string | undefined {
  const mode = spec?.volumeMode ?? "Filesystem";
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const isIn = (member: "volumeMounts" | "volumeDevices"): boolean =>
    containers.some((container) => container[member]?.some((each) => each.name === name));
  if (isIn("volumeMounts") && mode !== "Filesystem")
    return `volume ${name} has volumeMode ${mode}, but is specified in volumeMounts`;
  if (isIn("volumeDevices") && mode !== "Block")
    return `volume ${name} has volumeMode ${mode}, but is specified in volumeDevices`;
  return mode === "Block" ? "block volumes are not supported on this node" : undefined;
}
