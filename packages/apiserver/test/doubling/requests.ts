/** A request that grows with n. */
export interface GrowingRequest {
  readonly name: string;
  /** Why it may grow faster: what bounds it. */
  readonly bounded?: string;
  readonly of: (n: number) => {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

const one = "/api/v1/namespaces/default/configmaps/kept";
const all = "/api/v1/namespaces/default/configmaps";
const times = (n: number, make: (at: number) => string, separator = ","): string =>
  Array.from({ length: n }, (_, at) => make(at)).join(separator);
const query = (text: string): string => encodeURIComponent(text);

const paths: readonly [string, (n: number) => string][] = [
  ["slashes at the end", (n) => `${one}${"/".repeat(n)}`],
  ["slashes in the middle", (n) => `/a${"/".repeat(n)}b`],
  ["segments", (n) => `/api/v1/namespaces/default/pods/a/proxy${"/x".repeat(n)}`],
  ["escapes", (n) => `${one}${"%41".repeat(n)}`],
  ["a long name", (n) => `${one}${"a".repeat(n)}`],
  ["a long group", (n) => `/apis/${"a.".repeat(n)}io/v1/things`],
  ["dots", (n) => `/api/v1${"/..".repeat(n)}`],
  ["query members", (n) => `${one}?${times(n, (at) => `a${at}=b`, "&")}`],
  ["equal query members", (n) => `${one}?${times(n, () => "pretty=1", "&")}`],
  ["query members without a value", (n) => `${one}?${"&".repeat(n)}`],
  ["query escapes", (n) => `${one}?a=${"%20".repeat(n)}`],
  ["label terms", (n) => `${all}?labelSelector=${query(times(n, (at) => `a${at}=b`))}`],
  ["equal label terms", (n) => `${all}?labelSelector=${query(times(n, () => "a!=b"))}`],
  ["label values", (n) => `${all}?labelSelector=${query(`a in (${times(n, (at) => `v${at}`)})`)}`],
  ["blanks in a label selector", (n) => `${all}?labelSelector=${query(`a${" ".repeat(n)}=b`)}`],
  ["brackets in a label selector", (n) => `${all}?labelSelector=${query("(".repeat(n))}`],
  ["field terms", (n) => `${all}?fieldSelector=${query(times(n, (at) => `metadata.name!=b${at}`))}`],
  ["backslashes in a field selector", (n) => `${all}?fieldSelector=${query(`metadata.name=${"\\\\".repeat(n)}`)}`],
  ["a long continue token", (n) => `${all}?limit=1&continue=${"A".repeat(4 * n)}`],
  ["a long resource version", (n) => `${all}?resourceVersion=${"1".repeat(n)}`],
  ["a long limit", (n) => `${all}?limit=${"1".repeat(n)}`],
  ["a long field manager", (n) => `${one}?fieldManager=${"a".repeat(n)}`],
];

const headers: readonly [string, (n: number) => Record<string, string>][] = [
  ["Accept clauses", (n) => ({ accept: times(n, (at) => `a/b${at};q=0.${at}`) })],
  ["Accept wildcards", (n) => ({ accept: times(n, () => "*/*;q=0.1") })],
  ["Accept parameters", (n) => ({ accept: `application/json;${times(n, (at) => `a${at}=b`, ";")}` })],
  ["Accept blanks", (n) => ({ accept: `a${" ".repeat(n)}/b` })],
  ["Accept digits", (n) => ({ accept: `a/b;q=${"1".repeat(n)}x` })],
  ["Content-Type parameters", (n) => ({ "content-type": `application/json;${times(n, (at) => `a${at}=b`, ";")}` })],
  ["a quoted Content-Type parameter", (n) => ({ "content-type": `application/json; a="${"\\!".repeat(n)}` })],
  ["Accept-Encoding clauses", (n) => ({ "accept-encoding": times(n, (at) => `x${at};q=0.5`) })],
  ["a long bearer token", (n) => ({ authorization: `Bearer ${"a.".repeat(n)}` })],
  ["blanks before a bearer token", (n) => ({ authorization: `Bearer ${" ".repeat(n)}a` })],
  ["a long user agent", (n) => ({ "user-agent": "a/b (c) ".repeat(n) })],
  ["headers", (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`x-${at}`, "v"]))],
  ["groups to impersonate", (n) => ({ "impersonate-user": "bob", "impersonate-group": times(n, (at) => `g${at}`) })],
  [
    "extras to impersonate",
    (n) => ({
      "impersonate-user": "bob",
      ...Object.fromEntries(Array.from({ length: n }, (_, at) => [`impersonate-extra-k${at}`, "v"])),
    }),
  ],
  [
    "escapes in an extra to impersonate",
    (n) => ({ "impersonate-user": "bob", [`impersonate-extra-${"%41".repeat(n)}`]: "v" }),
  ],
];

const patch =
  (type: string, body: (n: number) => unknown): GrowingRequest["of"] =>
  (n) => ({
    method: "PATCH",
    path: `${one}?dryRun=All&fieldManager=m`,
    headers: { "content-type": type },
    body: typeof body(n) === "string" ? (body(n) as string) : JSON.stringify(body(n)),
  });
const json = "application/json-patch+json";
const strategic = "application/strategic-merge-patch+json";
const merge = "application/merge-patch+json";
const apply = "application/apply-patch+yaml";
const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n";

const bodies: readonly [string, GrowingRequest["of"], bounded?: string][] = [
  [
    "operations of a JSON patch",
    patch(json, (n) => Array.from({ length: n }, (_, at) => ({ op: "add", path: `/data/k${at}`, value: "v" }))),
  ],
  [
    "tests of a JSON patch",
    patch(json, (n) => Array.from({ length: n }, () => ({ op: "test", path: "/kind", value: "ConfigMap" }))),
  ],
  [
    "insertions at the front by a JSON patch",
    patch(json, (n) => [
      { op: "add", path: "/metadata/finalizers", value: [] },
      ...Array.from({ length: n }, (_, at) => ({ op: "add", path: "/metadata/finalizers/0", value: `a/${at}` })),
    ]),
    "the 10,000 operations that a patch may have move a list by one place each: some 50 million words, in 50 ms",
  ],
  ["a long pointer of a JSON patch", patch(json, (n) => [{ op: "add", path: "/a".repeat(n), value: 1 }])],
  ["escapes of a JSON patch", patch(json, (n) => [{ op: "add", path: `/data/${"~1".repeat(n)}`, value: "v" }])],
  [
    "members of a merge patch",
    patch(merge, (n) => ({ data: Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, "v"])) })),
  ],
  [
    "owners in a strategic patch",
    patch(strategic, (n) => ({
      metadata: {
        ownerReferences: Array.from({ length: n }, (_, at) => ({
          apiVersion: "v1",
          kind: "Node",
          name: "n",
          uid: `u${at}`,
        })),
      },
    })),
  ],
  [
    "deleted owners in a strategic patch",
    patch(strategic, (n) => ({
      metadata: { ownerReferences: Array.from({ length: n }, (_, at) => ({ $patch: "delete", uid: `u${at}` })) },
    })),
  ],
  [
    "finalizers to delete in a strategic patch",
    patch(strategic, (n) => ({
      metadata: { "$deleteFromPrimitiveList/finalizers": Array.from({ length: n }, (_, at) => `a/${at}`) },
    })),
  ],
  [
    "an order of elements in a strategic patch",
    patch(strategic, (n) => ({
      metadata: { "$setElementOrder/ownerReferences": Array.from({ length: n }, (_, at) => ({ uid: `u${at}` })) },
    })),
  ],
  ["members that are applied", patch(apply, (n) => `${head}data:\n${times(n, (at) => `  k${at}: v`, "\n")}\n`)],
  ["members given twice in YAML", patch(apply, (n) => `${head}data:\n${times(n, () => "  k: v", "\n")}\n`)],
  ["lists in lists in YAML", patch(apply, (n) => `${head}data: ${"[".repeat(n)}`)],
  ["anchors in YAML", patch(apply, (n) => `${head}data:\n${times(n, (at) => `  k${at}: &a${at} v`, "\n")}\n`)],
  ["lines of a text in YAML", patch(apply, (n) => `${head}data:\n  k: |\n${times(n, () => "    line", "\n")}\n`)],
  ["quotes in YAML", patch(apply, (n) => `${head}data:\n  k: '${"''".repeat(n)}'\n`)],
  ["comments in YAML", patch(apply, (n) => `${"#\n".repeat(n)}${head}`)],
  ["blank lines in YAML", patch(apply, (n) => `${head}${"\n".repeat(n)}data: {}\n`)],
  ["objects in objects in JSON", patch(merge, (n) => `{"data":${'{"a":'.repeat(n)}1${"}".repeat(n)}}`)],
  [
    "unknown members in JSON",
    patch(merge, (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`x${at}`, at]))),
  ],
  ["members given twice in JSON", patch(merge, (n) => `{${times(n, () => '"data":{}')}}`)],
  ["escapes in JSON", patch(merge, (n) => `{"data":{"k":"${"\\u0041".repeat(n)}"}}`)],
];

/** Everything but the objects themselves: paths, queries, headers and patches. */
export const growingRequests: readonly GrowingRequest[] = [
  ...paths.map(([name, path]): GrowingRequest => ({ name: `path: ${name}`, of: (n) => ({ path: path(n) }) })),
  ...headers.map(
    ([name, make]): GrowingRequest => ({ name: `header: ${name}`, of: (n) => ({ path: one, headers: make(n) }) }),
  ),
  ...bodies.map(
    ([name, of, bounded]): GrowingRequest => ({
      name: `body: ${name}`,
      of,
      ...(bounded === undefined ? {} : { bounded }),
    }),
  ),
];
