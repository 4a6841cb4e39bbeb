/** The target of a request: neither part is decoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Of `http://host/path?query`, as it is sent to a proxy, the host does not count; of `host:port`, as CONNECT has it, nothing is left. */
export function parseTarget(target: string, method: string): RequestTarget {
  const local = target.startsWith("/") ? target : method === "CONNECT" ? "" : target.replace(absoluteForm, "");
  const mark = local.indexOf("?");
  return mark < 0 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** `OPTIONS *` asks whether the server as a whole is there, and is answered with nothing else. */
export const asksForServer = (method: string, { path }: RequestTarget): boolean => method === "OPTIONS" && path === "*";
