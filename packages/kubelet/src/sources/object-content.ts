import type { ConfigMap, Secret } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { ownEntries } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import type { ReferencedObjects } from "./referenced-objects.js";

type Content = ReadonlyMap<string, Uint8Array>;

/** Keys and values of config maps and secrets as bytes; undefined where there is none. */
export interface ObjectContents {
  configMap(namespace: string, name: string): Promise<Content | undefined>;
  secret(namespace: string, name: string): Promise<Content | undefined>;
}

/** Objects that are remembered are the same again: pods that mount one share its bytes. */
export function createObjectContents(client: Client, objects: Pick<ReferencedObjects, "get">): ObjectContents {
  const known = new WeakMap<object, Content>();
  function contentOf<T extends object>(object: T | undefined, read: (object: T) => Content): Content | undefined {
    if (object === undefined) return undefined;
    let content = known.get(object);
    if (!content) known.set(object, (content = read(object)));
    return content;
  }
  return {
    configMap: async (namespace, name) =>
      contentOf(await objects.get(client, "configmaps", namespace, name), configMapContent),
    secret: async (namespace, name) => contentOf(await objects.get(client, "secrets", namespace, name), secretContent),
  };
}

/** Pure: keys and values of a config map, as bytes. */
export const configMapContent = ({ data, binaryData }: DeepReadonly<ConfigMap>): Content =>
  new Map([
    ...ownEntries(data).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...ownEntries(binaryData).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);

/** Pure: keys and values of a secret, decoded. */
export const secretContent = ({ data }: DeepReadonly<Secret>): Content =>
  new Map(ownEntries(data).map(([key, text]) => [key, Buffer.from(text, "base64")] as const));
