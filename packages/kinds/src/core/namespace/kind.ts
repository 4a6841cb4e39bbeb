import type { Namespace } from "@coxswain/api/core/v1";
import { builtInFacts } from "../../built-in-kind.js";
import { defineKind } from "../../kind-definition.js";
import type { Stored } from "../../stored.js";
import { namespaceColumns } from "./columns.js";
import { setNamespaceDefaults } from "./defaults.js";
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from "./strategy.js";

export type StoredNamespace = Stored<Namespace, "spec" | "status">;

export const namespaceKind = defineKind<StoredNamespace>({
  ...builtInFacts("", "v1", "namespaces"),
  setDefaults: setNamespaceDefaults,
  strategy: namespaceStrategy,
  views: { status: namespaceStatusStrategy, finalize: namespaceFinalizeStrategy },
  columns: namespaceColumns,
  selectableFields: {
    names: ["status.phase", "name"],
    // "name" is a mistake of long ago that clients may rely on.
    values: (namespace) => ({ "status.phase": namespace.status.phase ?? "", name: namespace.metadata.name ?? "" }),
  },
  returnsDeletedObject: true,
});
