import type { VolumeMount } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import { ConfigError, type FileSource, type Mount, type MountPropagation } from "../runtime/container-runtime.js";
import { expandVariables, missingVariables } from "../sources/expand-variables.js";
import type { PodHost } from "./pod-host.js";

export interface MountFacts {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly volumes: ReadonlyMap<string, FileSource>;
  readonly env: ReadonlyMap<string, string>;
}

type MountHost = Pick<PodHost, "mountSubPath" | "hasRecursiveReadOnly">;

/** The mounts of a container, with sub-paths bound. Upstream's `pkg/kubelet/kubelet_pods.go`, `makeMounts`. @throws ConfigError */
export async function makeMounts(host: MountHost, { pod, container, volumes, env }: MountFacts): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const [index, wanted] of (container.volumeMounts ?? []).entries()) {
    const mount = planMount(wanted, { container, volumes, env, hasRecursiveReadOnly: host.hasRecursiveReadOnly });
    const { source, subPath } = mount;
    if (source.kind !== "host" || subPath === undefined) {
      mounts.push(mount);
      continue;
    }
    const request = { pod, container: container.name, index, volume: wanted.name, path: source.path, subPath };
    const { subPath: _, ...whole } = mount;
    mounts.push({ ...whole, source: { kind: "host", path: await host.mountSubPath(request) } });
  }
  return mounts;
}

/** Pure: one mount of a container. @throws ConfigError in upstream's words */
export function planMount(
  wanted: DeepReadonly<VolumeMount>,
  { container, volumes, env, hasRecursiveReadOnly }: Omit<MountFacts, "pod"> & Pick<MountHost, "hasRecursiveReadOnly">,
): Mount {
  const { name, mountPath, readOnly = false } = wanted;
  const source = volumes.get(name);
  if (!source) throw new ConfigError(`cannot find volume "${name}" to mount into container "${container.name}"`);
  const subPath = subPathOf(wanted, env);
  return {
    path: mountPath,
    // What an image holds is never written to, and runtimes refuse to mount it otherwise.
    readOnly:
      readOnly ||
      source.kind === "image" ||
      ((source.kind === "host" || source.kind === "persistent") && source.readOnly === true),
    recursiveReadOnly: isRecursive(wanted, hasRecursiveReadOnly),
    propagation: (wanted.mountPropagation as MountPropagation | undefined) ?? "None",
    source,
    ...(subPath !== "" && { subPath }),
  };
}

function subPathOf({ subPath = "", subPathExpr }: DeepReadonly<VolumeMount>, env: ReadonlyMap<string, string>): string {
  const path = subPathExpr ? expandSubPath(subPathExpr, env) : subPath;
  if (path.startsWith("/")) throw new ConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split("/").includes(".."))
    throw new ConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

function expandSubPath(expression: string, env: ReadonlyMap<string, string>): string {
  const missing = missingVariables(expression, env);
  if (missing.length > 0) throw new ConfigError(`missing value for ${missing.join(", ")}`);
  return expandVariables(expression, env);
}

/** Upstream's `resolveRecursiveReadOnly` there. */
function isRecursive(mount: DeepReadonly<VolumeMount>, isSupported: boolean): boolean {
  const { name, recursiveReadOnly: mode, readOnly = false, mountPropagation = "None" } = mount;
  if (mode === undefined || mode === "Disabled") return false;
  const refuse = (why: string): ConfigError =>
    new ConfigError(
      `failed to resolve recursive read-only mode: volume "${name}" requested recursive read-only mode, but it is not ${why}`,
    );
  if (!readOnly) throw refuse("read-only");
  if (mountPropagation !== "None") throw refuse(`compatible with propagation "${mountPropagation}"`);
  if (mode === "Enabled" && !isSupported) throw refuse("supported by the runtime");
  return isSupported;
}
