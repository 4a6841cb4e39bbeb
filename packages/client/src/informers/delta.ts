/** One change on its way from the reflector to the indexer. */
export type Delta<T> =
  | ObjectDelta<T>
  /** A list: the content is these objects and no others. */
  | { readonly type: "ReplacedAll"; readonly objects: readonly T[]; readonly resourceVersion: string }
  /** A resync: every known object is to be handed to the handlers once more. */
  | { readonly type: "SyncAll" }
  /** The server has nothing newer up to this resourceVersion. */
  | { readonly type: "Bookmark"; readonly resourceVersion: string };

/** A change of one object. */
export type ObjectDelta<T> =
  | { readonly type: "Added" | "Updated" | "Replaced" | "Sync"; readonly object: T }
  | {
      readonly type: "Deleted";
      readonly object: T;
      /** The deletion was missed and found by a later list: `object` is the last state known, perhaps not the last there was. */
      readonly finalStateUnknown: boolean;
    };
