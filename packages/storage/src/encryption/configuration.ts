import type { GroupResource } from "@coxswain/apimachinery/meta";

/** The file that users write (`kind: EncryptionConfiguration`, apiserver.config.k8s.io/v1), as plain data. */
export interface EncryptionConfiguration {
  readonly resources?: readonly ResourceConfiguration[];
}

export interface ResourceConfiguration {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group) or `*.*`. */
  readonly resources?: readonly string[];
  /** The first writes, all read. */
  readonly providers?: readonly ProviderConfiguration[];
}

/** Exactly one of them. */
export interface ProviderConfiguration {
  readonly identity?: object;
  readonly aesgcm?: KeysConfiguration;
  readonly aescbc?: KeysConfiguration;
  readonly secretbox?: KeysConfiguration;
  readonly kms?: KmsConfiguration;
}

export interface KeysConfiguration {
  readonly keys?: readonly { readonly name?: string; readonly secret?: string }[];
}

export interface KmsConfiguration {
  /** @default "v1", which is no longer served: set "v2" */
  readonly apiVersion?: string;
  readonly name?: string;
  readonly endpoint?: string;
  /** As Go writes durations. @default "3s" */
  readonly timeout?: string;
  readonly cachesize?: number;
}

/** As it is written in the file. */
export const formatGroupResource = ({ group, resource }: GroupResource): string =>
  group === "" ? (resource === "*" ? "*." : resource) : `${resource}.${group}`;
