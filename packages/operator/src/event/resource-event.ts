/** A change of an object, as predicates and mappings of a controller see it. Objects are shared: do not change them. */
export type ResourceEvent<T> =
  | {
      readonly type: "create";
      readonly object: T;
      /** It was there when the informer started: nothing happened to it now. */
      readonly isInInitialList: boolean;
    }
  /** Also for every object at a resync, then with the same object twice. */
  | { readonly type: "update"; readonly object: T; readonly old: T }
  | {
      readonly type: "delete";
      readonly object: T;
      /** The deletion itself was missed; `object` is the last state that was seen. */
      readonly finalStateUnknown: boolean;
    };
