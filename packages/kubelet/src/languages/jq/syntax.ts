/** A parsed filter of the jq language. */
export type Filter =
  | { readonly kind: "identity" }
  | { readonly kind: "literal"; readonly value: string | bigint | boolean | null }
  | { readonly kind: "member"; readonly of: Filter; readonly key: Filter }
  | { readonly kind: "each"; readonly of: Filter }
  | { readonly kind: "try"; readonly body: Filter }
  | { readonly kind: "array"; readonly body: Filter | undefined }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Filter[] }
  | { readonly kind: "binary"; readonly sign: BinarySign; readonly left: Filter; readonly right: Filter };

/** From the weakest to the strongest, as they bind. */
export const binarySigns = [["|"], [","], ["//"], ["or"], ["and"], ["==", "!=", "<=", ">=", "<", ">"]] as const;
export type BinarySign = (typeof binarySigns)[number][number];

/** Why a filter is not understood, or where its evaluation ended. */
export class JqError extends Error {
  override readonly name = "JqError";
}
