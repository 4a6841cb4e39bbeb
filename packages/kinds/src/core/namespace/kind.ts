import { builtInKind } from "../../built-in/built-in-kind.js";
import { namespaceColumns } from "./columns.js";
import { setNamespaceDefaults } from "./defaults.js";
import type { StoredNamespace } from "./stored.js";
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from "./strategy.js";

export type { StoredNamespace };

export const namespaceKind = builtInKind<StoredNamespace>("", "v1", "namespaces", {
  setDefaults: setNamespaceDefaults,
  strategy: namespaceStrategy,
  views: { status: namespaceStatusStrategy, finalize: namespaceFinalizeStrategy },
  columns: namespaceColumns,
  // "name" is a mistake of long ago: it is in the fields of a namespace, and yet no selector may name it.
  selectableValues: ({ metadata, status }) => ({ "status.phase": status.phase ?? "", name: metadata.name ?? "" }),
  returnsDeletedObject: true,
});
