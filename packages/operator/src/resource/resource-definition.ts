import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { CachedObject } from "@coxswain/client/informers";

/** One resource in one version: where its objects are served, and which type they have. */
export interface ResourceDefinition<T extends object = CachedObject> extends GroupVersionResource {
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  /** Only for the compiler, which takes the type of the objects from it. Never set. */
  readonly objectType?: T;
}

/** What a definition is made of. */
export type ResourceFacts = Omit<ResourceDefinition, "objectType">;

/**
 * The resource of a type of one's own:
 * `defineResource<VideoProcessor>({ group: "media.example.com", version: "v1", kind: "VideoProcessor", resource: "videoprocessors", scope: "Namespaced" })`.
 */
export const defineResource = <T extends object>(facts: ResourceFacts): ResourceDefinition<T> => {
  const { group, version, kind, resource, scope } = facts;
  if (resource !== resource.toLowerCase() || resource === "")
    throw new TypeError(`the resource of ${kind} is its plural name in lower case, not ${JSON.stringify(resource)}`);
  return Object.freeze({ group, version, kind, resource, scope });
};

/** `videoprocessors.v1.media.example.com`: one text per resource and version, for maps and logs. */
export const resourceName = ({ group, version, resource }: GroupVersionResource): string =>
  group === "" ? `${resource}.${version}` : `${resource}.${version}.${group}`;

/** The type of a definition's objects. */
export type ObjectOf<D> = D extends ResourceDefinition<infer T> ? T : never;
