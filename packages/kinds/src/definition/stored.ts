/** An object in canonical form: what the API's types leave optional for writers is always there. */
export type Stored<T extends { metadata?: unknown }, Always extends keyof T = never> = T & {
  [K in Always | "metadata"]-?: NonNullable<T[K]>;
};
