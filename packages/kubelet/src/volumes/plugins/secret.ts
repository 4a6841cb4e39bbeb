import type { SecretVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, namespaceOf } from "../../objects/cached-pod.js";
import type { VolumeContents } from "../../sources/volume-contents.js";
import { keyedPayload, type Payload, PayloadError } from "../payload.js";
import { setUpPayload } from "../payload-volume.js";
import type { VolumePlugin } from "../volume-plugin.js";
import { defaultFileMode } from "./config-map.js";

export const secretPlugin: VolumePlugin<DeepReadonly<SecretVolumeSource>> = {
  directory: "secret",
  async setUp(source, request, context) {
    const named = { ...source, name: source.secretName ?? "" };
    const payload = await secretPayload(named, source.defaultMode, request.pod, context.contents);
    return setUpPayload({ plugin: "secret", payload, isInMemory: true }, request, context);
  },
};

type Named = Pick<DeepReadonly<SecretVolumeSource>, "items" | "optional"> & { readonly name?: string };

/** @throws PayloadError */
export async function secretPayload(
  { name = "", items = [], optional = false }: Named,
  defaultMode: number | undefined,
  pod: CachedPod,
  contents: VolumeContents,
): Promise<Payload> {
  const content = await contents.secret(namespaceOf(pod), name);
  if (!content && !optional) throw new PayloadError(`secret "${name}" not found`);
  return keyedPayload({
    kind: "secret",
    content: content ?? new Map(),
    items,
    isOptional: optional,
    defaultMode: defaultMode ?? defaultFileMode,
  });
}
