import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Lister } from "../cache/lister.js";
import { storedKind } from "../catalogue/stored-kind.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.js";

/** A write to admit; all that is left out is of no matter. */
export function attributesOf(
  resource: string,
  object: object | undefined,
  more: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  const [group = "", name = ""] = resource.includes("/") ? resource.split("/") : ["", resource];
  return {
    operation: "CREATE",
    kind: storedKind(group, name),
    subresource: "",
    namespace: "n",
    name: "x",
    object: object as KubernetesObject | undefined,
    old: undefined,
    user: { name: "jane", groups: [] },
    dryRun: false,
    ...more,
  };
}

export const pod = (spec: object = {}, metadata: object = {}): KubernetesObject =>
  ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "x", ...metadata },
    spec: { containers: [{ name: "c", image: "app" }], ...spec },
    status: {},
  }) as KubernetesObject;

/** Why a plugin refuses; undefined: it does not. */
export async function refusal(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<string | undefined> {
  try {
    await plugin.admit?.(attributes);
    await plugin.validate?.(attributes);
    return undefined;
  } catch (err) {
    return (err as Error).message;
  }
}

export function listerOf<T>(objects: Readonly<Record<string, unknown>>): Lister<T> {
  return {
    get: (key) => (Object.hasOwn(objects, key) ? (objects[key] as T) : undefined),
    list: (prefix) => Object.entries(objects).flatMap(([key, object]) => (key.startsWith(prefix) ? [object as T] : [])),
    state: () => objects,
  };
}
