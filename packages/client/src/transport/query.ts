/** Names and values as `key=value&…`, percent-encoded; "" where there are none. */
export const encodeQuery = (query: readonly (readonly [name: string, value: string])[] = []): string =>
  query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");

/** The request target: path and query. */
export function requestTarget(request: {
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
}): string {
  const query = encodeQuery(request.query);
  return query === "" ? request.path : `${request.path}?${query}`;
}
