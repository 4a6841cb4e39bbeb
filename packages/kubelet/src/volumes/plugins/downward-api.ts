import type { DownwardAPIVolumeFile, DownwardAPIVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../../objects/cached-pod.js";
import type { VolumeContents } from "../../sources/volume-contents.js";
import { aggregate, type Payload, PayloadError, type PayloadFile } from "../payload.js";
import { setUpPayload } from "../payload-volume.js";
import type { VolumePlugin } from "../volume-plugin.js";
import { defaultFileMode } from "./config-map.js";

export const downwardApiPlugin: VolumePlugin<DeepReadonly<DownwardAPIVolumeSource>> = {
  directory: "downward-api",
  async setUp(source, request, context) {
    const payload = downwardPayload(source.items ?? [], source.defaultMode, request.pod, context.contents);
    return setUpPayload({ plugin: "downward-api", payload, isInMemory: true }, request, context);
  },
};

/** Fields of the pod as it is now, so that a changed label is a changed file. @throws PayloadError */
export function downwardPayload(
  items: readonly DeepReadonly<DownwardAPIVolumeFile>[],
  defaultMode: number | undefined,
  pod: CachedPod,
  contents: VolumeContents,
): Payload {
  const files = new Map<string, PayloadFile>();
  const errors: string[] = [];
  for (const { path, mode, fieldRef, resourceFieldRef } of items) {
    try {
      const text = fieldRef
        ? contents.field(pod, fieldRef.fieldPath)
        : resourceFieldRef
          ? contents.resource(pod, resourceFieldRef)
          : "";
      files.set(path, { content: Buffer.from(text), mode: mode ?? defaultMode ?? defaultFileMode });
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  if (errors.length > 0) throw new PayloadError(aggregate(errors));
  return files;
}
