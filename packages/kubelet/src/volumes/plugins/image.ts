import type { ImageVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { VolumePlugin } from "../volume-plugin.js";

/** What an image holds. The kubelet pulls it as it pulls images of containers, and the runtime mounts it. */
export const imagePlugin: VolumePlugin<DeepReadonly<ImageVolumeSource>> = {
  setUp: ({ reference = "" }) => Promise.resolve({ kind: "image", ref: reference }),
};
