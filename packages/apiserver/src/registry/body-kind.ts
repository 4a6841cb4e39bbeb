import { builtInTypes } from "@coxswain/api/tables";
import type { AnyKind } from "@coxswain/kinds";

/** A kind that only travels in a subresource's body or answer (Binding, Scale, Eviction, TokenRequest). */
export function bodyKind(group: string, version: string, kind: string, schema: string): AnyKind {
  return {
    group,
    version,
    kind,
    listKind: "",
    resource: "",
    namespaced: true,
    storagePrefix: "",
    strategy: { resetFields: [] },
    views: {},
    columns: { columns: [], cells: () => [] },
    get schema() {
      return builtInTypes.get(schema);
    },
  };
}
