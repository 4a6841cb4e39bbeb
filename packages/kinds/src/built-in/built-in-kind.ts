import { findResource, type ResourceInfo } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import { createTypeDefaults, type TypeDefaults } from "../defaults/type-defaults.js";
import type { KindDefinition, SelectableFields } from "../definition/kind-definition.js";
import { factsOf } from "../definition/resource-facts.js";
import type { Strategy, UpdateStrategy } from "../definition/strategy.js";
import { dropDisabledFields } from "../gates/drop-disabled-fields.js";
import { dropDisabledTemplateFields } from "../pod-spec/disabled-template-fields.js";

type Facts =
  | "group"
  | "version"
  | "kind"
  | "listKind"
  | "resource"
  | "namespaced"
  | "schema"
  | "types"
  | "withTypes"
  | "facts"
  | "storagePrefix"
  | "selectableFields";

/** What a kind does, beside what the tables know of it. */
export type KindBehaviour<T> = Omit<KindDefinition<T>, Facts> & {
  /** Defaults of the types that the object is made of; they are set after `setDefaults`, and after them those that the tables mark. */
  readonly typeDefaults?: TypeDefaults;
  /** Feature gates that the kind heeds itself: it does more, or less, than dropping their members. */
  readonly ownGates?: readonly string[];
  /** The object's values of the fields that the tables call selectable, without those of metadata. */
  readonly selectableValues?: (object: T) => Readonly<Record<string, string>>;
  /** Messages for other fields, where upstream has its own. */
  readonly unknownFieldText?: (field: string) => string;
};

/**
 * A built-in kind: the facts of the tables and what its own files add. Members whose feature gate is off are dropped by every
 * way in, before anything else is prepared.
 * Its type is linked when it is first needed, so that importing every kind costs next to nothing.
 */
export function builtInKind<T>(
  group: string,
  version: string,
  resource: string,
  behaviour: KindBehaviour<T>,
): KindDefinition<T> {
  const info = findResource(group, version, resource);
  if (!info?.storage)
    throw new Error(`the tables have no stored resource ${resource} in ${group || "core"}/${version}`);
  return inTypes(info, info.storage, behaviour, builtInTypes);
}

function inTypes<T>(
  info: ResourceInfo,
  storage: NonNullable<ResourceInfo["storage"]>,
  behaviour: KindBehaviour<T>,
  types: TypeRegistry,
): KindDefinition<T> {
  const { selectableValues, unknownFieldText, typeDefaults, strategy, views, ownGates, ...rest } = behaviour;
  const { group, version, resource, kind, listKind, namespaced, schema } = info;
  let linked: KindDefinition["schema"] | undefined;
  const node = () => (linked ??= types.get(schema));
  return {
    group,
    version,
    kind,
    listKind,
    resource,
    namespaced,
    storagePrefix: storage.prefix,
    facts: factsOf(info),
    types,
    withTypes: (others) => inTypes(info, storage, versionsIn(behaviour, others), others),
    ...rest,
    ...(typeDefaults && { setDefaults: withTypeDefaults(node, rest.setDefaults, typeDefaults) }),
    strategy: { ...strategy, ...preparingNew(node, strategy, ownGates), ...preparing(node, strategy, ownGates) },
    views: Object.fromEntries(
      Object.entries(views).map(([name, view]) => [name, { ...view, ...preparing(node, view, ownGates) }]),
    ),
    ...(selectableValues && {
      selectableFields: {
        ...selectableFields(info, selectableValues),
        ...(unknownFieldText && { unknownText: unknownFieldText }),
      },
    }),
    // Last, because a spread after it would read it.
    get schema() {
      return node();
    },
  };
}

const versionsIn = <T>(behaviour: KindBehaviour<T>, types: TypeRegistry): KindBehaviour<T> => ({
  ...behaviour,
  ...(behaviour.versions && { versions: behaviour.versions.map((each) => each.withTypes?.(types) ?? each) }),
});

type LinkNode = () => KindDefinition["schema"];

function withTypeDefaults<T>(
  node: LinkNode,
  own: ((object: T) => void) | undefined,
  functions: TypeDefaults,
): (object: T) => void {
  let setAll: ((object: unknown) => void) | undefined;
  return (object) => {
    own?.(object);
    setAll ??= createTypeDefaults(node(), functions);
    setAll(object);
  };
}

const preparing = <T>(
  node: LinkNode,
  way: UpdateStrategy<T>,
  ownGates?: readonly string[],
): Required<Pick<UpdateStrategy<T>, "prepareForUpdate">> => ({
  prepareForUpdate(object, old, context) {
    dropDisabledFields(node(), object, old, context.gates, { except: ownGates ?? [] });
    dropDisabledTemplateFields(object, old, context.gates);
    way.prepareForUpdate?.(object, old, context);
  },
});

const preparingNew = <T>(
  node: LinkNode,
  strategy: Strategy<T>,
  ownGates?: readonly string[],
): Required<Pick<Strategy<T>, "prepareForCreate">> => ({
  prepareForCreate(object, context) {
    dropDisabledFields(node(), object, undefined, context.gates, { except: ownGates ?? [] });
    dropDisabledTemplateFields(object, undefined, context.gates);
    strategy.prepareForCreate?.(object, context);
  },
});

const ofMetadata = new Set(["metadata.name", "metadata.namespace"]);

function selectableFields<T>(info: ResourceInfo, values: SelectableFields<T>["values"]): SelectableFields<T> {
  const aliases = new Map(Object.entries(info.fieldAliases ?? {}));
  const names = info.selectableFields.filter((name) => !ofMetadata.has(name) && !aliases.has(name));
  return { names, values, ...(aliases.size > 0 && { convert: (field) => aliases.get(field) }) };
}
