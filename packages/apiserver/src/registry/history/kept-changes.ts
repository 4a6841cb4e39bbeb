import { changedPaths } from "@coxswain/apimachinery/object";
import type { KeyEvent } from "@coxswain/storage";
import type { KeepRules } from "@coxswain/storage/chronicle";
import { parseStored } from "../../cache/encoded-object.js";
import { registryPrefix } from "../../cache/registry-prefix.js";

/** What is in the history, by the first part of a key. What is not named is kept with its values. */
const rules: Readonly<Record<string, "digest" | "nothing">> = {
  leases: "nothing", // heartbeats: most of what is written
  events: "nothing", // they are a history themselves, and expire
  ranges: "nothing", // no objects, but allocations of addresses and ports
  masterleases: "nothing",
  peerserverleases: "nothing",
  secrets: "digest",
};

/** What was written to a value that is not kept: where, and how many bytes, but not what. */
export interface Digest {
  readonly uid: string;
  readonly isBeingDeleted: boolean;
  readonly paths: readonly { readonly path: string; readonly before?: number; readonly after?: number }[];
}

interface Stored {
  readonly metadata?: { readonly uid?: string; readonly deletionTimestamp?: string };
}

/** `isEncrypted`: whether the value of a key is encrypted at rest. It would not be in these files. */
export const keptChanges = (isEncrypted: (key: string) => boolean): KeepRules => ({
  of(key) {
    const end = key.indexOf("/", registryPrefix.length);
    const first = key.slice(registryPrefix.length, end < 0 ? undefined : end);
    if (Object.hasOwn(rules, first)) return rules[first] ?? "value";
    return isEncrypted(key) ? "digest" : "value";
  },
  isNoise: ({ key, record, previous }) =>
    key.startsWith(`${registryPrefix}minions/`) &&
    record !== undefined &&
    previous !== undefined &&
    changedPaths(objectOf(previous.value), objectOf(record.value)).every(({ path }) =>
      path.endsWith(".lastHeartbeatTime"),
    ),
  digest({ record, previous }: KeyEvent): Digest {
    const [before, after] = [objectOf(previous?.value), objectOf(record?.value)];
    const { metadata } = after ?? before ?? {};
    return {
      uid: metadata?.uid ?? "",
      isBeingDeleted: metadata?.deletionTimestamp !== undefined,
      paths: before && after ? changedPaths(before, after).map(sizesOnly) : [],
    };
  },
});

const sizesOnly = ({ path, before, after }: { path: string; before?: unknown; after?: unknown }) => ({
  path,
  ...(before !== undefined && { before: sizeOf(before) }),
  ...(after !== undefined && { after: sizeOf(after) }),
});

const sizeOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function objectOf(value: Uint8Array | undefined): Stored | undefined {
  if (!value) return undefined;
  try {
    return parseStored(value) as Stored;
  } catch {
    return undefined; // of another server, or not readable: then only that it changed is known
  }
}
