import { builtInTypes } from "@coxswain/api/tables";
import type { AnyKind } from "@coxswain/kinds";
import { noFacts } from "@coxswain/kinds/definition";
import type { ReadKind } from "../../endpoints/decode/decode-as.js";

/** A kind that only travels in a subresource's body or answer (Binding, Scale, Eviction, TokenRequest). */
export function bodyKind(
  group: string,
  version: string,
  kind: string,
  schema: string,
  more: Partial<Pick<ReadKind, "columns" | "namespaced" | "views" | "alsoRead" | "setDefaults">> = {},
): AnyKind {
  return {
    group,
    version,
    kind,
    listKind: "",
    resource: "",
    namespaced: true,
    storagePrefix: "",
    facts: noFacts,
    strategy: { resetFields: [] },
    views: {},
    columns: { columns: [], cells: () => [] },
    ...more,
    get schema() {
      return builtInTypes.get(schema);
    },
  };
}
