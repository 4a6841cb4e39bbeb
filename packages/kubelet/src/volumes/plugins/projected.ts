import type { ProjectedVolumeSource, VolumeProjection } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../../objects/cached-pod.js";
import type { VolumeContents } from "../../sources/volume-contents.js";
import { aggregate, type Payload, PayloadError, type PayloadFile } from "../payload.js";
import { setUpPayload } from "../payload-volume.js";
import { fsGroupOf, fsUserOf } from "../pod-security.js";
import type { VolumePlugin } from "../volume-plugin.js";
import { configMapPayload, defaultFileMode } from "./config-map.js";
import { downwardPayload } from "./downward-api.js";
import { secretPayload } from "./secret.js";

export const projectedPlugin: VolumePlugin<DeepReadonly<ProjectedVolumeSource>> = {
  directory: "projected",
  async setUp(source, request, context) {
    const payload = await projectedPayload(source, request.pod, context.contents);
    return setUpPayload({ plugin: "projected", payload, isInMemory: true }, request, context);
  },
};

/** Several sources in one directory; of two files of one path the later counts. @throws PayloadError with all that is missing */
export async function projectedPayload(
  { sources = [], defaultMode = defaultFileMode }: DeepReadonly<ProjectedVolumeSource>,
  pod: CachedPod,
  contents: VolumeContents,
): Promise<Payload> {
  const files = new Map<string, PayloadFile>();
  const errors: string[] = [];
  for (const source of sources) {
    try {
      for (const [path, file] of await payloadOf(source, defaultMode, pod, contents)) files.set(path, file);
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  if (errors.length > 0) throw new PayloadError(aggregate(errors));
  return files;
}

async function payloadOf(
  source: DeepReadonly<VolumeProjection>,
  defaultMode: number,
  pod: CachedPod,
  contents: VolumeContents,
): Promise<Payload> {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (secret) return secretPayload(secret, defaultMode, pod, contents);
  if (configMap) return configMapPayload(configMap, defaultMode, pod, contents);
  if (downwardAPI) return downwardPayload(downwardAPI.items ?? [], defaultMode, pod, contents);
  if (serviceAccountToken) {
    const token = await contents.token(pod, serviceAccountToken);
    return ownFile(serviceAccountToken.path, token, defaultMode, pod);
  }
  if (clusterTrustBundle)
    return ownFile(clusterTrustBundle.path, await contents.trustAnchors(clusterTrustBundle), defaultMode, pod);
  if (podCertificate) throw new PayloadError("podCertificate projections are not supported on this node");
  return new Map();
}

/** A credential: where all containers run as one user it is that user's alone; a group gets its right from `fsGroup`. */
function ownFile(path: string, text: string, defaultMode: number, pod: CachedPod): Payload {
  const owner = fsUserOf(pod);
  const mode = owner !== undefined || fsGroupOf(pod) !== undefined ? 0o600 : defaultMode;
  return new Map([[path, { content: Buffer.from(text), mode, ...(owner !== undefined && { owner }) }]]);
}
