import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type CachedPod, containersOf, ephemeralContainersOf, initContainersOf } from "../objects/cached-pod.js";
import { checkPayload } from "./payload.js";

/**
 * Pure: directories in a volume at which containers mount other volumes. A volume that only the kubelet writes must have them, since
 * the runtime cannot make them. As `getNestedMountpoints` of pkg/volume/util/nested_volumes.go.
 */
export function nestedMountPoints(pod: CachedPod, volume: string): string[] {
  const found = new Set<string>();
  for (const { volumeMounts = [] } of [...containersOf(pod), ...initContainersOf(pod), ...ephemeralContainersOf(pod)]) {
    const paths = volumeMounts.map(({ mountPath }) => cleanPath(mountPath)).sort();
    for (const own of volumeMounts.filter(({ name }) => name === volume)) {
      const prefix = `${cleanPath(own.mountPath)}/`;
      const nested: string[] = [];
      for (const path of paths)
        if (path.startsWith(prefix) && !nested.some((above) => path.startsWith(`${above}/`))) nested.push(path);
      for (const path of nested) found.add(path.slice(prefix.length));
    }
  }
  return [...found].filter((path) => path !== "");
}

const cleanPath = (path: string): string =>
  `/${path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/")}`;

export async function makeNestedMountPoints(pod: CachedPod, volume: string, directory: string): Promise<void> {
  const paths = nestedMountPoints(pod, volume);
  checkPayload(new Map(paths.map((path) => [path, { content: new Uint8Array(), mode: 0 }])));
  for (const path of paths) await mkdir(join(directory, path), { recursive: true, mode: 0o755 });
}
