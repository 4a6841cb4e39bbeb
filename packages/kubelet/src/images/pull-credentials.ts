import { getOwn } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import { namespaceOf } from "../objects/cached-pod.js";
import { matchPlaces, parseDockerConfig, type RegistryCredential } from "./docker-config.js";
import type { ObjectCoordinates, PullCredentials } from "./pull-credential.js";

/** From the pod's imagePullSecrets. One that is not there is no error: the image may need none. */
export function createPullCredentials(client: Client): PullCredentials {
  return async (pod, image) => {
    const credentials: (RegistryCredential & { readonly secret: ObjectCoordinates })[] = [];
    const namespace = namespaceOf(pod);
    for (const { name } of pod.spec?.imagePullSecrets ?? []) {
      if (!name) continue;
      const found = await client.core.v1
        .secrets(namespace)
        .get(name)
        .catch(() => undefined);
      const secret = { uid: found?.metadata?.uid ?? "", namespace, name };
      for (const type of ["dockerconfigjson", "dockercfg"] as const) {
        const text = getOwn(found?.data, `.${type}`);
        if (text === undefined) continue;
        for (const each of parseDockerConfig(Buffer.from(text, "base64").toString("utf8"), type))
          credentials.push({ ...each, secret });
      }
    }
    return matchPlaces(image, credentials).map(({ auth, secret }) => ({ auth, secret }));
  };
}

/** Of all these, those of the first before those of the next. */
export const joinCredentials =
  (...sources: readonly PullCredentials[]): PullCredentials =>
  async (pod, image) =>
    (await Promise.all(sources.map((source) => source(pod, image)))).flat();
