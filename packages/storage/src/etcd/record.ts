import type { KeyEvent, KeyRecord } from "../contract/key-value-store.js";
import { type EtcdEvent, type EtcdKeyValue, eventType } from "./rpc.js";

/** A lease of somebody else's may be larger than a number holds; ours never are. It then names the lease only about. */
export const recordOf = (found: EtcdKeyValue): KeyRecord => ({
  key: found.key,
  value: found.value,
  revision: found.modRevision,
  createRevision: found.createRevision,
  version: found.version,
  ...(found.lease !== 0n && { lease: Number(found.lease) }),
});

/** Its values are copies: an event lives longer than the message that brought it, which may be many times larger. */
export function eventOf({ type, keyValue, previous }: EtcdEvent): KeyEvent {
  const deleted = type === eventType.delete;
  return {
    type: deleted ? "delete" : "put",
    key: keyValue!.key,
    revision: keyValue!.modRevision,
    record: deleted ? undefined : recordOf(detached(keyValue!)),
    previous: previous && recordOf(detached(previous)),
  };
}

const detached = (found: EtcdKeyValue): EtcdKeyValue => ({
  ...found,
  value: Uint8Array.prototype.slice.call(found.value),
});
