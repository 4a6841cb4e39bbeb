import { getOwn } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import { type CachedPod, namespaceOf } from "../objects/cached-pod.js";
import type { RegistryAuth } from "../runtime/container-runtime.js";
import { matchCredentials, parseDockerConfig, type RegistryCredential } from "./docker-config.js";

/** What registries are shown for a pod's image, the best first; none: the pull is anonymous. */
export type PullCredentials = (pod: CachedPod, image: string) => Promise<readonly RegistryAuth[]>;

/** From the pod's imagePullSecrets. One that is not there is no error: the image may need none. */
export function createPullCredentials(client: Client): PullCredentials {
  return async (pod, image) => {
    const credentials: RegistryCredential[] = [];
    for (const { name } of pod.spec?.imagePullSecrets ?? []) {
      if (!name) continue;
      const secret = await client.core.v1
        .secrets(namespaceOf(pod))
        .get(name)
        .catch(() => undefined);
      for (const type of ["dockerconfigjson", "dockercfg"] as const) {
        const text = getOwn(secret?.data, `.${type}`);
        if (text === undefined) continue;
        for (const found of parseDockerConfig(Buffer.from(text, "base64").toString("utf8"), type))
          credentials.push(found);
      }
    }
    return matchCredentials(image, credentials);
  };
}
