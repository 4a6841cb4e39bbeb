import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import type { Change } from "./change.js";
import { changeKind } from "./history-kinds.js";

export const bytesOfChange = (change: Change): Uint8Array =>
  encodeJson(walk(change, changeKind.schema), changeKind.schema);

/** A change as lists and watches have it. */
export const entryOf = (change: Change): CacheEntry =>
  withBytes(
    {
      key: `${change.metadata.namespace ?? ""}/${change.metadata.name ?? ""}`,
      revision: change.revision,
      namespace: change.metadata.namespace ?? "",
      labels: undefined,
      fields: undefined,
      stale: false,
    },
    bytesOfChange(change),
  );
