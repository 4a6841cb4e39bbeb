/**
 * Receives the changes of an informer's objects. Objects are shared and must not be changed. Calls for one handler never
 * overlap: a returned promise is awaited before the next call, and other handlers go on meanwhile. What a handler throws is
 * reported to the informer's `onError`; the handler goes on with the next change.
 *
 * A handler whose promise waits for a clock keeps a virtual clock from moving: queue the key and return.
 */
export interface EventHandler<T> {
  onAdd?(object: T, isInInitialList: boolean): void | Promise<void>;
  /** Also called for every object at a resync, then with the same object twice. */
  onUpdate?(old: T, object: T): void | Promise<void>;
  /**
   * `finalStateUnknown`: the deletion itself was missed (during a disconnection), and `object` is the last state that this
   * client saw.
   */
  onDelete?(object: T, about: { readonly finalStateUnknown: boolean }): void | Promise<void>;
}

/** One change on its way to a handler. */
export type Notification<T> =
  | { readonly type: "add"; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: "update"; readonly old: T; readonly object: T }
  | { readonly type: "delete"; readonly object: T; readonly finalStateUnknown: boolean }
  /** Everything of the first list is in front of this. */
  | { readonly type: "synced" };

/** A handler that sees only the objects that pass: one that begins to pass is added, one that ceases to is deleted. */
export function filterEvents<T>(passes: (object: T) => boolean, handler: EventHandler<T>): EventHandler<T> {
  return {
    onAdd(object, isInInitialList) {
      return passes(object) ? handler.onAdd?.(object, isInInitialList) : undefined;
    },
    onUpdate(old, object) {
      const [before, after] = [passes(old), passes(object)];
      if (before && after) return handler.onUpdate?.(old, object);
      if (after) return handler.onAdd?.(object, false);
      return before ? handler.onDelete?.(old, { finalStateUnknown: false }) : undefined;
    },
    onDelete(object, about) {
      return passes(object) ? handler.onDelete?.(object, about) : undefined;
    },
  };
}
