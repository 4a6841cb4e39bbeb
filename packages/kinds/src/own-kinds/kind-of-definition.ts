import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { VersionSpec } from "../custom-resources/version-spec.js";
import type { ApiKind, ApiVersion } from "./api-kind.js";

/** What a kind does, where a definition declares what it is. */
export interface KindBehaviour<T extends object> extends Pick<ApiKind<T & KubernetesObject>, "strategy"> {
  /** The strategy of the status, where the definition has that subresource. */
  readonly status?: Exclude<ApiKind<T & KubernetesObject>["status"], boolean>;
  /** By version: defaults and conversion. */
  readonly versions?: Readonly<Record<string, VersionBehaviour<T>>>;
}

/** As `ApiVersion` has them, with objects as the types declare them: parameters may name the type of their version. */
export interface VersionBehaviour<T extends object> extends Pick<ApiVersion, "setDefaults"> {
  toHub?(object: object): DeepReadonly<T>;
  fromHub?(object: DeepReadonly<T>): object;
}

/** A kind, and the group that it belongs to. */
export interface KindInGroup<T extends object = object> {
  readonly group: string;
  readonly kind: ApiKind<T & KubernetesObject>;
}

/**
 * A kind as a CustomResourceDefinition declares it, which is what TypeScript types are made into (`generateDefinitions` of
 * `@coxswain/schema-types`). The stored version is the hub. @throws Error where no version is stored
 */
export function kindOfDefinition<T extends object>(
  { spec }: DeepReadonly<CustomResourceDefinition>,
  behaviour: KindBehaviour<T> = {},
): KindInGroup<T> {
  const { names, group, scope, versions } = spec;
  const hub = versions.find(({ storage }) => storage);
  if (!hub) throw new Error(`the definition of ${names.kind} stores no version`);
  const { additionalPrinterColumns: columns, selectableFields } = hub;
  return {
    group,
    kind: {
      kind: names.kind,
      plural: names.plural,
      ...(names.singular && { singular: names.singular }),
      ...(names.shortNames && { shortNames: names.shortNames }),
      ...(names.categories && { categories: names.categories }),
      scope: scope as ApiKind["scope"],
      hub: hub.name,
      versions: versions.map((version) => versionOf(version, behaviour.versions?.[version.name])),
      ...(columns && { columns }),
      ...(selectableFields && { selectableFields: selectableFields.map(({ jsonPath }) => jsonPath) }),
      ...(hub.subresources?.status && { status: behaviour.status ?? true }),
      ...(hub.subresources?.scale && { scale: hub.subresources.scale }),
      ...(behaviour.strategy && { strategy: behaviour.strategy }),
    },
  };
}

const versionOf = <T extends object>(
  { name, served, deprecated = false, deprecationWarning, schema }: VersionSpec,
  own: VersionBehaviour<T> = {},
): ApiVersion<T & KubernetesObject> => ({
  ...(own as Partial<ApiVersion<T & KubernetesObject>>),
  name,
  served,
  deprecated: deprecated && (deprecationWarning ?? true),
  schema: withoutHead(schema?.openAPIV3Schema ?? { type: "object" }),
});

/** What every object has is no part of a kind's schema. */
function withoutHead(schema: object): ApiVersion["schema"] {
  const { properties = {}, ...rest } = schema as { readonly properties?: object };
  const { apiVersion: _, kind: __, metadata: ___, ...own } = properties as Record<string, unknown>;
  return { ...rest, properties: own };
}
