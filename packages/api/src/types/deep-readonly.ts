/** The type of an object that others share: nothing in it may be assigned. Texts stay texts, open unions (`"A" | (string & {})`) too. */
export type DeepReadonly<T> = unknown extends T
  ? T
  : T extends string | number | boolean | bigint | symbol | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly DeepReadonly<Item>[]
      : { readonly [K in keyof T]: DeepReadonly<T[K]> };
