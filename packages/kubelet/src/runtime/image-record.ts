import type { CachedPod } from "../objects/cached-pod.js";

/** An image on the node. */
export interface ImageRecord {
  /** As pods name it. */
  readonly image: string;
  /** The runtime's own name of it: the digest of its configuration. */
  readonly id: string;
  /** With its digest, as container statuses show it (`imageID`). */
  readonly ref: string;
  readonly tags: readonly string[];
  readonly digests: readonly string[];
  readonly sizeBytes: number;
  /** Who its process runs as; both undefined: root, or nobody knows. */
  readonly user: { readonly uid?: number; readonly name?: string };
  /** Never removed. */
  readonly pinned: boolean;
}

export interface PullRequest {
  readonly image: string;
  /** For whom it is pulled. */
  readonly pod: CachedPod;
  readonly auth?: RegistryAuth;
}

/** What a registry is shown. Values of it never appear in errors or logs. */
export interface RegistryAuth {
  readonly username?: string;
  readonly password?: string;
  /** `username:password` in base64. */
  readonly auth?: string;
  readonly serverAddress?: string;
  readonly identityToken?: string;
  readonly registryToken?: string;
}
