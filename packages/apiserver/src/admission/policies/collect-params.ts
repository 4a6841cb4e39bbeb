import type { DeepReadonly } from "@coxswain/api";
import type { ParamKind, ParamRef } from "@coxswain/api/admissionregistration/v1";
import { formatGroupVersion, type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { type Labels, labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import type { AnyKind } from "@coxswain/kinds";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import { isVersionKind } from "../../catalogue/version-kind.js";

export interface ParamDeps {
  readonly feed: CacheFeed;
  readonly catalogue: Pick<Catalogue, "kinds">;
}

/** Why a policy or binding cannot be used; its failure policy decides what that means. */
export class ConfigurationError extends Error {}

/** The kind of a policy's parameters. @throws ConfigurationError where nothing of the kind is served */
export function findParamKind(
  { catalogue }: ParamDeps,
  { apiVersion = "", kind = "" }: DeepReadonly<ParamKind>,
): AnyKind {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: "", version: apiVersion };
  const found = catalogue
    .kinds()
    .find((served) => served.kind === kind && served.group === group && served.version === version);
  if (!found)
    throw new ConfigurationError(
      `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`,
    );
  return found;
}

/**
 * The parameters that a binding chooses. One that is undefined stands for a policy without parameters; none at all means
 * that there is nothing to evaluate.
 * @throws ConfigurationError
 */
export async function collectParams(
  deps: ParamDeps,
  kind: AnyKind | undefined,
  { ref, namespace }: { ref: DeepReadonly<ParamRef> | undefined; namespace: string },
): Promise<readonly (KubernetesObject | undefined)[]> {
  if (!kind || !ref) return [undefined];
  const place = placeOf(kind, ref, namespace);
  const params = await inVersion(kind, findParams(deps, kind, ref, place));
  if (params.length === 0 && ref.parameterNotFoundAction === "Deny")
    throw new ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  return params;
}

/** The namespace of the parameters; "" for those that have none. */
function placeOf(kind: AnyKind, ref: DeepReadonly<ParamRef>, namespace: string): string {
  if (!kind.namespaced) {
    if (ref.namespace)
      throw new ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    return "";
  }
  const place = ref.namespace || namespace;
  if (place === "")
    throw new ConfigurationError(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  return place;
}

function findParams(
  { feed }: ParamDeps,
  kind: AnyKind,
  { name = "", selector }: DeepReadonly<ParamRef>,
  namespace: string,
): readonly KubernetesObject[] {
  const lister = createLister<KubernetesObject>(feed.cacheOf(kind));
  if (name !== "") {
    if (selector) throw new ConfigurationError("paramRef.name and paramRef.selector are mutually exclusive");
    const found = lister.get(objectKey(kind, namespace, name));
    return found ? [found] : [];
  }
  if (!selector) throw new ConfigurationError("one of name or selector must be provided");
  const selected = labelSelectorFromObject(selector);
  return [...lister.list(collectionPrefix(kind, namespace))].filter(({ metadata }) =>
    selected.matches(metadata.labels as Labels),
  );
}

/** Stored objects in the version that the policy names. */
async function inVersion(kind: AnyKind, objects: readonly KubernetesObject[]): Promise<readonly KubernetesObject[]> {
  if (isVersionKind(kind)) return objects.map((object) => kind.fromHub(object));
  const apiVersion = formatGroupVersion(kind);
  if (!kind.storedForm || objects.every((object) => object.apiVersion === apiVersion)) return objects;
  return kind.storedForm.convert(objects, apiVersion);
}
