/** `/openapi/v3`: where each document is. */
export interface OpenAPIV3Index {
  paths: Record<string, { serverRelativeURL: string }>;
}

/**
 * `hashOf` answers what changes when the document does. A client keeps a document under its hash for good, so it need not be a
 * hash of the content: upstream's is, at the price of making every document before the first index is answered.
 */
export function openAPIV3Index(names: readonly string[], hashOf: (name: string) => string): OpenAPIV3Index {
  const entries = [...names]
    .sort()
    .map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(name)}` }]);
  return { paths: Object.fromEntries(entries) };
}
