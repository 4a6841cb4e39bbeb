/** Acts as somebody else; the user that authenticates must be allowed to `impersonate`. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Header lines, names in lower case. A name may come several times: one line for each group and each value. */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): [string, string][] {
  return [
    ["impersonate-user", user],
    ...(uid === undefined || uid === "" ? [] : ([["impersonate-uid", uid]] as [string, string][])),
    ...groups.map((group): [string, string] => ["impersonate-group", group]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value): [string, string] => [`impersonate-extra-${encodeExtraKey(key)}`, value]),
    ),
  ];
}

/** What is no token character in a header's name is percent-encoded, and so is "%", as client-go does. */
const encodeExtraKey = (key: string): string =>
  Array.from(new TextEncoder().encode(key), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  })
    .join("")
    .toLowerCase();
