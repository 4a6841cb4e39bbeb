/** `/openapi/v3`: where each document is. */
export interface OpenAPIV3Index {
  paths: Record<string, { serverRelativeURL: string }>;
}

/**
 * `urlOf` answers where a document is, with a hash that changes when the document does. A client keeps a document under its hash
 * for good, so it need not be a hash of the content: upstream's is, at the price of making every document before the first index
 * is answered.
 */
export function openAPIV3Index(names: readonly string[], urlOf: (name: string) => string): OpenAPIV3Index {
  const entries = [...names].sort().map((name) => [name, { serverRelativeURL: urlOf(name) }]);
  return { paths: Object.fromEntries(entries) };
}
