import {
  type GroupKind,
  type GroupVersionKind,
  type GroupVersionResource,
  groupVersionKindOf,
  type TypeMeta,
} from "@coxswain/apimachinery/meta";
import {
  createRestMapper,
  NoMatchError,
  type PartialResource,
  type RestMapper,
  type RestMapping,
} from "@coxswain/apimachinery/rest-mapper";
import type { ApiSurface } from "./api-surface.js";
import type { DiscoveryClient } from "./discovery-client.js";

/**
 * A RESTMapper over discovery. A name that is not known is looked up once more in a fresh answer of the server, so that a
 * custom resource can be used right after its definition. @throws NoMatchError, AmbiguousMatchError
 */
export interface DynamicMapper {
  /** `po`, `pods`, `deployments.apps`. */
  resourceFor(partial: PartialResource): Promise<GroupVersionResource>;
  kindFor(partial: PartialResource): Promise<GroupVersionKind>;
  mapping(kind: GroupKind, ...versions: readonly string[]): Promise<RestMapping>;
  /** Of the kind that an object names. */
  mappingOf(object: Partial<TypeMeta>): Promise<RestMapping>;
  /** The whole of it, without a second look. */
  current(): Promise<RestMapper>;
}

export function createDynamicMapper(discovery: DiscoveryClient): DynamicMapper {
  let built: { surface: ApiSurface; mapper: RestMapper } | undefined;
  const current = async (): Promise<RestMapper> => {
    const surface = await discovery.surface();
    if (built?.surface !== surface) built = { surface, mapper: createRestMapper(surface.groups) };
    return built.mapper;
  };
  const find = async <T>(look: (mapper: RestMapper) => T): Promise<T> => {
    const mapper = await current();
    try {
      return look(mapper);
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error;
      // Another caller may have refreshed meanwhile; then its answer is fresh enough.
      if (built?.mapper === mapper) discovery.invalidate();
      return look(await current());
    }
  };
  const mapping: DynamicMapper["mapping"] = (kind, ...versions) => find((mapper) => mapper.mapping(kind, ...versions));
  return {
    resourceFor: (partial) => find((mapper) => mapper.resourceFor(partial)),
    kindFor: (partial) => find((mapper) => mapper.kindFor(partial)),
    mapping,
    mappingOf(object) {
      const gvk = groupVersionKindOf(object as TypeMeta);
      if (gvk === undefined || gvk.kind === "" || gvk.version === "")
        return Promise.reject(new TypeError("the object names no apiVersion and kind"));
      return mapping({ group: gvk.group, kind: gvk.kind }, gvk.version);
    },
    current,
  };
}
