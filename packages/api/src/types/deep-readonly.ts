/** What readers of a cache get: the object is shared, and changing it would change it for everyone. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
