import { createHash } from "node:crypto";
import type { CachedPod } from "../objects/cached-pod.js";
import type { RegistryAuth } from "../runtime/container-runtime.js";

/** Where credentials come from: an object of the cluster, or, without one, the node itself. */
export interface ObjectCoordinates {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a registry is shown, and who may show it: the pods that refer to the secret or the service account. */
export interface PullCredential {
  readonly auth: RegistryAuth;
  readonly secret?: ObjectCoordinates;
  readonly serviceAccount?: ObjectCoordinates;
}

/** What registries are shown for a pod's image, the best first; none: the pull is anonymous. */
export type PullCredentials = (pod: CachedPod, image: string) => Promise<readonly PullCredential[]>;

/** As upstream's records have it (pkg/credentialprovider/keyring.go, `hashAuthConfig`): Go's JSON of the credentials. */
export function hashOf({
  username,
  password,
  auth,
  serverAddress,
  identityToken,
  registryToken,
}: RegistryAuth): string {
  const members = {
    ...(username && { username }),
    ...(password && { password }),
    ...(auth && { auth }),
    ...(serverAddress && { serveraddress: serverAddress }),
    ...(identityToken && { identitytoken: identityToken }),
    ...(registryToken && { registrytoken: registryToken }),
  };
  return createHash("sha256").update(JSON.stringify(members)).digest("hex");
}
