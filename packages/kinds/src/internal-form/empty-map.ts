/** The map without entries, which is as good as none; a struct that says nothing is not. */
export const emptyMap: Record<string, unknown> = Object.freeze({});
