import { createHmac, generateKeyPairSync } from "node:crypto";
import { peekClaims, type SigningKey, signingKey, signToken } from "@coxswain/wire/jwt";
import { createCertificateRequest } from "@coxswain/wire/x509";

/** Users of both servers, as a token file has them. */
export const attackTokens = "root-token,root,1,system:masters\ndev-token,dev,2,dev\n";
export const attackIssuer = "https://kubernetes.default.svc";
/** Clients without credentials reach health only. */
export const attackConfiguration = JSON.stringify({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AuthenticationConfiguration",
  anonymous: { enabled: true, conditions: ["/livez", "/readyz", "/healthz"].map((path) => ({ path })) },
});

export interface AttackRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface Attack extends AttackRequest {
  readonly name: string;
}
export interface AttackAnswer {
  readonly status: number;
  /** Of a Status. */
  readonly message?: string;
  readonly reason?: string;
  /** Of a TokenReview. */
  readonly error?: string;
  readonly username?: string;
}
export type SendAttack = (request: AttackRequest) => Promise<{ readonly status: number; readonly body: string }>;

const as = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const rbacObject = (kind: string, name: string, more: object): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind,
  metadata: { name },
  ...more,
});
const request = (subject: object, signerName: string, usages: string[], name: string): object => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: {
      request: Buffer.from(createCertificateRequest({ subject, privateKey })).toString("base64"),
      signerName,
      usages,
    },
  };
};

/** Makes what the attacks need, and answers them: the same for every server that knows the key, the issuer and the tokens. */
export async function makeAttacks(send: SendAttack, key: SigningKey): Promise<Attack[]> {
  const make = async (path: string, body: object): Promise<Record<string, Record<string, string>>> => {
    const { status, body: responseText } = await send({
      method: "POST",
      path,
      headers: as("root-token"),
      body: JSON.stringify(body),
    });
    if (status !== 201) throw new Error(`${path}: ${status} ${responseText}`);
    return JSON.parse(responseText) as Record<string, Record<string, string>>;
  };
  await make("/api/v1/namespaces/default/serviceaccounts", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "a" },
  });
  const good =
    (
      await make("/api/v1/namespaces/default/serviceaccounts/a/token", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      })
    ).status?.token ?? "";
  // May make roles, bindings and requests for certificates; has no other rights.
  await make(
    `${rbac}/clusterroles`,
    rbacObject("ClusterRole", "maker", {
      rules: [
        {
          apiGroups: ["rbac.authorization.k8s.io", "certificates.k8s.io"],
          resources: ["*"],
          verbs: ["create", "update", "get"],
        },
      ],
    }),
  );
  await make(
    `${rbac}/clusterrolebindings`,
    rbacObject("ClusterRoleBinding", "maker", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "maker" },
      subjects: [{ kind: "User", name: "dev", apiGroup: "rbac.authorization.k8s.io" }],
    }),
  );
  return [...tokenAttacks(good, key), ...headerAttacks(good), ...pathAttacks(), ...escalations()];
}

/** Tokens made from a good one, by what is wrong with them. */
function forgedTokens(good: string, key: SigningKey): Record<string, string> {
  const claims = peekClaims(good) ?? {};
  const now = Number(claims.iat);
  const [head = "", body = "", signature = ""] = good.split(".");
  const strangers = signingKey();
  const forged = (more: object, by: SigningKey = key): string => signToken({ ...claims, ...more }, by);
  const about = claims["kubernetes.io"] as object;
  /** In the form of tokens that are kept in secrets. */
  const ofSecret = ({ subject, secret }: { readonly subject: string; readonly secret?: string }): string =>
    signToken(
      {
        iss: "kubernetes/serviceaccount",
        sub: subject,
        "kubernetes.io/serviceaccount/namespace": "default",
        ...(secret !== undefined && {
          "kubernetes.io/serviceaccount/secret.name": secret,
          "kubernetes.io/serviceaccount/service-account.name": "a",
          "kubernetes.io/serviceaccount/service-account.uid": "x",
        }),
      },
      key,
    );
  const symmetric = `${part({ alg: "HS256", kid: key.id })}.${body}`;
  return {
    good,
    expired: forged({ exp: now - 3600 }),
    "not yet valid": forged({ nbf: now + 3600 }),
    "issued in the future": forged({ iat: now + 3600 }),
    "of another issuer": forged({ iss: "https://else" }),
    "for others": forged({ aud: ["vault"] }),
    "for others, as one text": forged({ aud: "vault" }),
    "for nobody": forged({ aud: undefined }),
    "without an end": forged({ exp: undefined }),
    "signed with a stranger's key": forged({}, strangers),
    "signed with a stranger's key under ours' name": forged({}, { ...strangers, id: key.id }),
    "alg none": `${part({ alg: "none", kid: key.id })}.${body}.`,
    "alg none, with a signature": `${part({ alg: "none", kid: key.id })}.${body}.${signature}`,
    "alg None": `${part({ alg: "None" })}.${body}.`,
    "HS256 with the public key": `${symmetric}.${createHmac("sha256", key.key.export({ type: "spki", format: "pem" }))
      .update(symmetric)
      .digest("base64url")}`,
    "RS256 in the header": `${part({ alg: "RS256", kid: key.id })}.${body}.${signature}`,
    "other claims": `${head}.${part({ ...claims, sub: "system:serviceaccount:kube-system:x" })}.${signature}`,
    truncated: good.slice(0, -10),
    "without a signature": `${head}.${body}`,
    "with an empty signature": `${head}.${body}.`,
    "twice behind one another": `${good}.${good}`,
    nonsense: "nonsense",
    "three dots": "a.b.c",
    huge: `${head}.${part({ ...claims, pad: "x".repeat(200_000) })}.${signature}`,
    "of an account that is not there": forged({
      "kubernetes.io": { namespace: "default", serviceaccount: { name: "gone", uid: "x" } },
    }),
    "of another account of that name": forged({
      "kubernetes.io": { namespace: "default", serviceaccount: { name: "a", uid: "x" } },
    }),
    "bound to a pod that is gone": forged({ "kubernetes.io": { ...about, pod: { name: "gone", uid: "x" } } }),
    "bound to a secret that is gone": forged({ "kubernetes.io": { ...about, secret: { name: "gone", uid: "x" } } }),
    "bound to a node that is gone": forged({ "kubernetes.io": { ...about, node: { name: "gone", uid: "x" } } }),
    "that speaks of nobody": forged({ "kubernetes.io": undefined }),
    "of a secret that is gone": ofSecret({ subject: "system:serviceaccount:default:a", secret: "gone" }),
    "of a secret, for somebody else": ofSecret({ subject: "system:serviceaccount:kube-system:a", secret: "gone" }),
    "of no secret": ofSecret({ subject: "system:serviceaccount:default:a" }),
    "a token of the file": "dev-token",
  };
}

function tokenAttacks(good: string, key: SigningKey): Attack[] {
  return Object.entries(forgedTokens(good, key)).flatMap(([name, token]) => [
    {
      name: `${name}: used`,
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: as(token),
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
    },
    ...[undefined, ["vault"]].map((audiences) => ({
      name: `${name}: reviewed${audiences ? " for others" : ""}`,
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/tokenreviews",
      headers: as("root-token"),
      body: JSON.stringify({
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token, ...(audiences && { audiences }) },
      }),
    })),
  ]);
}

function headerAttacks(good: string): Attack[] {
  const headers: Record<string, Record<string, string>> = {
    "no credentials": {},
    Basic: { authorization: "Basic cm9vdDpyb290" },
    bEARER: { authorization: `bEARER ${good}` },
    "two spaces": { authorization: `Bearer  ${good}` },
    "something behind it": { authorization: `Bearer ${good} x` },
    "Bearer alone": { authorization: "Bearer" },
    "names in headers": { "x-remote-user": "root", "x-remote-group": "system:masters" },
    "names in headers beside a token": { ...as(good), "x-remote-user": "root", "x-remote-group": "system:masters" },
    "impersonation of a user": { ...as(good), "impersonate-user": "root" },
    "impersonation of a group": {
      ...as(good),
      "impersonate-user": "system:serviceaccount:default:a",
      "impersonate-group": "system:masters",
    },
    "impersonation of a group alone": { ...as(good), "impersonate-group": "system:masters" },
    "impersonation by nobody": { "impersonate-user": "root" },
    "an extra alone": { ...as(good), "impersonate-extra-scopes": "x" },
  };
  return Object.entries(headers).map(([name, sent]) => ({
    name: `headers: ${name}`,
    method: "GET",
    path: "/api/v1/namespaces/default/pods",
    headers: sent,
  }));
}

function pathAttacks(): Attack[] {
  const paths = [
    "/livez",
    "/readyz",
    "/healthz",
    "/livez/",
    "/livez/ping",
    "//livez",
    "/LIVEZ",
    "/livez?verbose",
    "/api",
    "/version",
    "/metrics",
    "/nothing",
    "//api/v1/secrets",
    "/livez/../api/v1/secrets",
    "/livez%2f..%2fapi/v1/secrets",
    "/api/v1/%2e%2e/secrets",
    "/%61pi/v1/secrets",
    "/api//v1/secrets",
    "/API/v1/secrets",
    "/api/v1/namespaces/default/../kube-system/secrets",
    "/api/v1/namespaces/default%2fsecrets/x",
    "/api/v1/SECRETS",
    "/api/v1/secrets//",
    "///api/v1/namespaces/default/secrets",
    "/api/v1/secrets/",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/../../v1/clusterrolebindings",
  ];
  return paths.flatMap((path) => [
    { name: `a stranger at ${path}`, method: "GET", path, headers: {} },
    { name: `dev at ${path}`, method: "GET", path, headers: as("dev-token") },
    { name: `root at ${path}`, method: "GET", path, headers: as("root-token") },
  ]);
}

/** A request of dev, who has no other rights than to make roles, bindings and requests for certificates. */
const post = (name: string, path: string, body: object): Attack => ({
  name: `escalation: ${name}`,
  method: "POST",
  path,
  headers: as("dev-token"),
  body: JSON.stringify(body),
});

function escalations(): Attack[] {
  const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
  const toDev = { subjects: [{ kind: "User", name: "dev", apiGroup: "rbac.authorization.k8s.io" }] };
  return [
    post("a cluster role with more rights", `${rbac}/clusterroles`, rbacObject("ClusterRole", "x1", { rules: [rule] })),
    post("a role with more rights", `${rbac}/namespaces/default/roles`, rbacObject("Role", "x1", { rules: [rule] })),
    post(
      "a role with the same rights",
      `${rbac}/clusterroles`,
      rbacObject("ClusterRole", "x2", {
        rules: [{ apiGroups: ["certificates.k8s.io"], resources: ["*"], verbs: ["get"] }],
      }),
    ),
    post(
      "a binding to cluster-admin",
      `${rbac}/clusterrolebindings`,
      rbacObject("ClusterRoleBinding", "x1", {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        ...toDev,
      }),
    ),
    post(
      "a binding to its own role",
      `${rbac}/clusterrolebindings`,
      rbacObject("ClusterRoleBinding", "x2", {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "maker" },
        ...toDev,
      }),
    ),
    ...certificateAttacks(),
    post("a token of another account", "/api/v1/namespaces/kube-system/serviceaccounts/root/token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    }),
    post("a review of somebody else's rights", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: "root", nonResourceAttributes: { path: "/", verb: "get" } },
    }),
    post("a review of a token", "/apis/authentication.k8s.io/v1/tokenreviews", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token: "x" },
    }),
  ];
}

function certificateAttacks(): Attack[] {
  const csrs = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  return [
    post(
      "a certificate for system:masters",
      csrs,
      request(
        { commonName: "dev", organizations: ["system:masters"] },
        "kubernetes.io/kube-apiserver-client",
        ["client auth"],
        "y1",
      ),
    ),
    post(
      "a certificate for a kubelet that is none",
      csrs,
      request(
        { commonName: "system:node:n", organizations: ["system:masters"] },
        "kubernetes.io/kube-apiserver-client-kubelet",
        ["client auth"],
        "y2",
      ),
    ),
    post(
      "a certificate of a signer without a domain",
      csrs,
      request({ commonName: "dev" }, "nobody", ["client auth"], "y3"),
    ),
    post(
      "a certificate",
      csrs,
      request({ commonName: "dev" }, "kubernetes.io/kube-apiserver-client", ["client auth"], "y4"),
    ),
    {
      ...post("its approval", "", {}),
      method: "PUT",
      path: `${csrs}/y4/approval`,
      body: JSON.stringify({
        ...request({ commonName: "dev" }, "kubernetes.io/kube-apiserver-client", ["client auth"], "y4"),
        status: { conditions: [{ type: "Approved", status: "True", reason: "mine", message: "" }] },
      }),
    },
  ];
}

/** What is compared of an answer: uids and times are no part of it. */
export function answerOf({ status, body }: { readonly status: number; readonly body: string }): AttackAnswer {
  if (!body.startsWith("{")) return { status };
  const {
    kind,
    message,
    reason,
    status: inner,
  } = JSON.parse(body) as {
    kind?: string;
    message?: string;
    reason?: string;
    status?: { error?: string; userInfo?: { username?: string }; user?: { username?: string } };
  };
  if (kind === "Status") return { status, message: withoutUids(message ?? ""), reason: reason ?? "" };
  const error = inner?.error;
  const username = inner?.userInfo?.username ?? inner?.user?.username;
  return {
    status,
    ...(error === undefined ? {} : { error: withoutUids(error) }),
    ...(username === undefined ? {} : { username }),
  };
}

const withoutUids = (text: string): string =>
  text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>");
