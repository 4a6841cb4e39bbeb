/** The map without entries, which is as good as none; an empty struct is not. */
export const emptyMap: Record<string, unknown> = Object.freeze({});
