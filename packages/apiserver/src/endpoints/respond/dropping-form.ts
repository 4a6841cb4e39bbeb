import { parseAccept } from "@coxswain/apimachinery/negotiation";
import { bytesOf, type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { createDelivery } from "../../cache/cache-event.js";
import { type Form, sharedFrame } from "../../request/form.js";
import { withoutManagedFields } from "./managed-fields-cut.js";

const dropped = "metadata.managedFields";

/** Whether a client wants JSON without managed fields; fields that nobody knows are passed over (KEP-5958). */
export const dropsManagedFields = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.includes("drop=") &&
  (parseAccept(accept)[0]?.params.get("drop") ?? "").split("+").includes(dropped);

/** The same as a form, of objects without managed fields. */
export function createDroppingForm(form: Form): Form {
  const { plain } = form;
  return {
    ...form,
    ...(plain && { plain: createDroppingForm(plain) }),
    object: (kind, bytes) => form.object(kind, withoutManagedFields(bytes)),
    list(answer) {
      const text = form.list(answer);
      return {
        ...text,
        item: (entry, into) => text.item(entryWithout(entry), into),
        mark: text.mark === undefined ? undefined : `${text.mark} without managed fields`,
      };
    },
    stream(kind) {
      const events = form.stream(kind);
      const shared = events.shared === undefined ? undefined : `${events.shared} without managed fields`;
      return {
        ...events,
        shared,
        event(delivery) {
          const { type, entry, previous, revision } = delivery;
          const encode = (): Uint8Array =>
            events.event(createDelivery({ type, entry: entryWithout(entry), previous, revision }));
          return shared === undefined ? encode() : sharedFrame(delivery, shared, encode);
        },
      };
    },
  };
}

/** A copy for one answer: kept, it would cost as much memory as the entry. */
const entryWithout = (entry: CacheEntry): CacheEntry => withBytes(entry, withoutManagedFields(bytesOf(entry)));
