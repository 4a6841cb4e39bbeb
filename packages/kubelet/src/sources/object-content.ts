import type { ConfigMap, Secret } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { ownEntries } from "@coxswain/apimachinery/own";

type Content = Map<string, Uint8Array>;

/** Pure: keys and values of a config map, as bytes. */
export const configMapContent = ({ data, binaryData }: DeepReadonly<ConfigMap>): Content =>
  new Map([
    ...ownEntries(data).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...ownEntries(binaryData).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);

/** Pure: keys and values of a secret, decoded. */
export const secretContent = ({ data }: DeepReadonly<Secret>): Content =>
  new Map(ownEntries(data).map(([key, text]) => [key, Buffer.from(text, "base64")] as const));
