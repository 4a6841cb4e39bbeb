import { encodeJson } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { KeyRecord } from "@coxswain/storage";
import { parseStored } from "./encoded-object.js";

/**
 * A record as clients see it, where the kind's schema may have changed since it was written: pruned, with today's defaults.
 * One that differs from what is stored is stale: writing it back unchanged is a write.
 */
export function normalizedRecord(kind: AnyKind, record: KeyRecord): KeyRecord {
  if (!kind.normalizeStored) return record;
  const object = parseStored(record.value);
  // Objects in another version are normalized when they are converted.
  if (object.apiVersion !== formatGroupVersion(kind)) return record;
  kind.normalizeStored(object);
  const value = encodeJson(object, kind.schema);
  return Buffer.compare(value, record.value) === 0 ? record : { ...record, value, stale: true };
}
