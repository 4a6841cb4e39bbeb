import { builtInResources, type ResourceInfo } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { type AnyKind, factsOf } from "@coxswain/kinds";
import { componentStatusColumns } from "../component-statuses/columns.js";
import { specialHandler } from "./special-handlers.js";

/** Resources that are asked and answered but never kept (bindings, reviews), as far as there is somebody to answer. */
export const unstoredKinds: readonly AnyKind[] = builtInResources
  .filter(
    (info) =>
      info.servedByDefault &&
      !info.storage &&
      info.verbs.every((verb) =>
        specialHandler({ group: info.group, resource: info.resource, subresource: "", verb }, {}),
      ),
  )
  .map(unstoredKind);

function unstoredKind(info: ResourceInfo): AnyKind {
  const { group, version, kind, listKind, resource, namespaced, schema } = info;
  return {
    group,
    version,
    kind,
    listKind,
    resource,
    namespaced,
    storagePrefix: "",
    facts: factsOf(info),
    strategy: { resetFields: [] },
    views: {},
    columns: resource === "componentstatuses" ? componentStatusColumns : { columns: [], cells: () => [] },
    get schema() {
      return builtInTypes.get(schema);
    },
  };
}
