import { isAbsolute, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ClientConfig,
  type KubeconfigChoice,
  KubeconfigError,
  mergeKubeconfigs,
  parseKubeconfig,
  resolveKubeconfig,
} from "./index.js";

const file = "/home/me/.kube/config";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const resolveText = (text: string, choice: KubeconfigChoice = {}): ClientConfig =>
  resolveKubeconfig(mergeKubeconfigs([{ config: parseKubeconfig(text, file), file }]), choice, (path, origin) =>
    isAbsolute(path) ? path : resolve(origin ?? "/", "..", path),
  );

/** A kubeconfig with one context, whose cluster and user are given in flow style. */
const kubeconfig = (user: string, cluster = "server: https://c:6443"): string => `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { cluster: c, user: u, namespace: work } }]
current-context: x
`;

const server = { server: "https://c:6443", namespace: "work" };

const forms: { name: string; text: string; choice?: KubeconfigChoice; config: ClientConfig }[] = [
  {
    name: "kubeadm: certificate and key as data",
    text: kubeconfig(
      `client-certificate-data: ${base64("CERT")}, client-key-data: ${base64("KEY")}`,
      `server: "https://c:6443", certificate-authority-data: ${base64("CA")}`,
    ),
    config: {
      ...server,
      certificateAuthority: { data: "CA" },
      clientCertificate: { cert: { data: "CERT" }, key: { data: "KEY" } },
    },
  },
  {
    name: "minikube: absolute paths",
    text: kubeconfig(
      "client-certificate: /m/client.crt, client-key: /m/client.key",
      "server: https://c:6443, certificate-authority: /m/ca.crt",
    ),
    config: {
      ...server,
      certificateAuthority: { file: "/m/ca.crt" },
      clientCertificate: { cert: { file: "/m/client.crt" }, key: { file: "/m/client.key" } },
    },
  },
  {
    name: "relative paths are beside the file",
    text: kubeconfig(
      "client-certificate: me.crt, client-key: keys/me.key",
      "server: https://c:6443, certificate-authority: ../ca.crt",
    ),
    config: {
      ...server,
      certificateAuthority: { file: "/home/me/ca.crt" },
      clientCertificate: { cert: { file: "/home/me/.kube/me.crt" }, key: { file: "/home/me/.kube/keys/me.key" } },
    },
  },
  {
    name: "certificate as data, key in a file",
    text: kubeconfig(`client-certificate-data: ${base64("CERT")}, client-key: /k`),
    config: { ...server, clientCertificate: { cert: { data: "CERT" }, key: { file: "/k" } } },
  },
  { name: "bearer token", text: kubeconfig("token: secret"), config: { ...server, token: "secret" } },
  {
    name: "token file",
    text: kubeconfig("tokenFile: token"),
    config: { ...server, tokenFile: "/home/me/.kube/token" },
  },
  {
    name: "token and token file: both are kept, the file is used",
    text: kubeconfig("token: old, tokenFile: /t"),
    config: { ...server, token: "old", tokenFile: "/t" },
  },
  {
    name: "basic authentication",
    text: kubeconfig("username: me, password: pass"),
    config: { ...server, basic: { username: "me", password: "pass" } },
  },
  { name: "nobody: an empty user", text: kubeconfig(""), config: server },
  { name: "a context without a user is anonymous", text: kubeconfig("").replace(", user: u,", ","), config: server },
  {
    name: "EKS: exec v1beta1 with environment and arguments",
    text: kubeconfig(
      "exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: [eks, get-token], env: [{ name: AWS_PROFILE, value: work }] }",
    ),
    config: {
      ...server,
      exec: {
        apiVersion: "client.authentication.k8s.io/v1beta1",
        command: "aws",
        args: ["eks", "get-token"],
        env: { AWS_PROFILE: "work" },
        interactiveMode: "IfAvailable",
      },
    },
  },
  {
    name: "GKE: exec v1beta1 with an install hint and cluster information",
    text: kubeconfig(
      "exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: gke-gcloud-auth-plugin, installHint: Install it, provideClusterInfo: true }",
    ),
    config: {
      ...server,
      exec: {
        apiVersion: "client.authentication.k8s.io/v1beta1",
        command: "gke-gcloud-auth-plugin",
        installHint: "Install it",
        provideClusterInfo: true,
        interactiveMode: "IfAvailable",
      },
    },
  },
  {
    name: "AKS: exec v1, null arguments and environment",
    text: kubeconfig(
      "exec: { apiVersion: client.authentication.k8s.io/v1, command: kubelogin, args: null, env: null, interactiveMode: Always }",
    ),
    config: {
      ...server,
      exec: { apiVersion: "client.authentication.k8s.io/v1", command: "kubelogin", interactiveMode: "Always" },
    },
  },
  {
    name: "exec with a path: relative to the file",
    text: kubeconfig(
      "exec: { apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, interactiveMode: Never }",
    ),
    config: {
      ...server,
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "/home/me/.kube/bin/login",
        interactiveMode: "Never",
      },
    },
  },
  {
    name: "exec with the cluster's extension for it",
    text: kubeconfig(
      "exec: { apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Never, provideClusterInfo: true }",
      "server: https://c:6443, extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: a } }]",
    ),
    config: {
      ...server,
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "login",
        interactiveMode: "Never",
        provideClusterInfo: true,
        clusterConfig: { audience: "a" },
      },
    },
  },
  {
    name: "OIDC provider",
    text: kubeconfig(
      `auth-provider: { name: oidc, config: { idp-issuer-url: https://idp, client-id: kube, client-secret: s, id-token: i, refresh-token: r, idp-certificate-authority-data: ${base64("IDP")} } }`,
    ),
    config: {
      ...server,
      oidc: {
        issuerUrl: "https://idp",
        clientId: "kube",
        clientSecret: "s",
        idToken: "i",
        refreshToken: "r",
        issuerAuthority: { data: "IDP" },
        kubeconfig: { file, user: "u" },
      },
    },
  },
  {
    name: "impersonation of user, uid, groups and extra",
    text: kubeconfig("token: t, as: jane, as-uid: '7', as-groups: [dev, ops], as-user-extra: { scopes: [a, b] }"),
    config: {
      ...server,
      token: "t",
      impersonate: { user: "jane", uid: "7", groups: ["dev", "ops"], extra: { scopes: ["a", "b"] } },
    },
  },
  {
    name: "server name for TLS",
    text: kubeconfig("token: t", "server: https://10.0.0.1, tls-server-name: api.example.com"),
    config: { server: "https://10.0.0.1", namespace: "work", token: "t", tlsServerName: "api.example.com" },
  },
  {
    name: "insecure",
    text: kubeconfig("token: t", "server: https://c:6443, insecure-skip-tls-verify: true"),
    config: { ...server, token: "t", insecureSkipTlsVerify: true },
  },
  {
    name: "proxy by URL",
    text: kubeconfig("token: t", "server: https://c:6443, proxy-url: socks5://127.0.0.1:1080"),
    config: { ...server, token: "t", proxyUrl: "socks5://127.0.0.1:1080" },
  },
  {
    name: "compression disabled",
    text: kubeconfig("token: t", "server: https://c:6443, disable-compression: true"),
    config: { ...server, token: "t", disableCompression: true },
  },
  {
    name: "Rancher: a path below the host, a query is dropped",
    text: kubeconfig("token: t", 'server: "https://rancher/k8s/clusters/c-1?x=1"'),
    config: { server: "https://rancher/k8s/clusters/c-1", namespace: "work", token: "t" },
  },
  {
    name: "plain HTTP: credentials are not sent",
    text: kubeconfig("token: t", "server: http://localhost:8001"),
    config: { server: "http://localhost:8001", namespace: "work" },
  },
  {
    name: "an IPv6 address",
    text: kubeconfig("token: t", 'server: "https://[::1]:6443"'),
    config: { server: "https://[::1]:6443", namespace: "work", token: "t" },
  },
  {
    name: "without a namespace it is default",
    text: kubeconfig("token: t").replace(", namespace: work", ""),
    config: { ...server, token: "t", namespace: "default" },
  },
  {
    name: "another namespace is chosen",
    text: kubeconfig("token: t"),
    choice: { namespace: "other" },
    config: { ...server, token: "t", namespace: "other" },
  },
  {
    name: "JSON",
    text: JSON.stringify({
      clusters: [{ name: "c", cluster: { server: "https://c:6443" } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "work" } }],
      "current-context": "x",
    }),
    config: { ...server, token: "t" },
  },
  {
    name: "another context is chosen",
    text: `${kubeconfig("token: t").replace("contexts: [", "contexts: [{ name: other, context: { cluster: c, user: u, namespace: other } }, ")}`,
    choice: { context: "other" },
    config: { ...server, token: "t", namespace: "other" },
  },
  {
    name: "a cluster and a user without any context",
    text: kubeconfig("token: t").replace("current-context: x", ""),
    choice: { cluster: "c", user: "u" },
    config: { ...server, token: "t", namespace: "default" },
  },
  {
    name: "unknown members, preferences and extensions are no error",
    text: `${kubeconfig("token: t, future: { a: 1 }")}preferences: { colors: true }\nextensions: []\nx-tool: 1\n`,
    config: { ...server, token: "t" },
  },
  {
    name: "names with odd characters (__proto__, slashes, @)",
    text: kubeconfig("token: t")
      .replaceAll("name: u", "name: __proto__")
      .replace("user: u,", "user: __proto__,")
      .replaceAll("name: c,", 'name: "arn:aws:eks:eu/1@x",')
      .replace("cluster: c,", 'cluster: "arn:aws:eks:eu/1@x",'),
    config: { ...server, token: "t" },
  },
  {
    name: "base64 in several lines",
    text: kubeconfig(
      "token: t",
      `server: https://c:6443, certificate-authority-data: "${base64("A".repeat(60)).replace(/(.{20})/g, "$1 ")}"`,
    ),
    config: { ...server, token: "t", certificateAuthority: { data: "A".repeat(60) } },
  },
];

describe("kubeconfigs that load", () => {
  for (const { name, text, choice, config } of forms) it(name, () => expect(resolveText(text, choice)).toEqual(config));
});

const broken: {
  name: string;
  text: string;
  choice?: KubeconfigChoice;
  context?: string;
  field?: string;
  problem: string;
}[] = [
  { name: "no YAML", text: "clusters: [", problem: "neither YAML nor JSON" },
  { name: "a list instead of an object", text: "[]", problem: "must be an object, not a list" },
  { name: "another kind", text: "kind: Pod", field: "kind", problem: 'must be "Config"' },
  {
    name: "a token that YAML reads as a number",
    text: kubeconfig("token: 123"),
    field: 'users["u"].user.token',
    problem: "must be a string, not number 123",
  },
  { name: "clusters that are no list", text: "clusters: { a: b }", field: "clusters", problem: "must be a list" },
  {
    name: "two users of one name",
    text: kubeconfig("token: t").replace("users: [", "users: [{ name: u, user: {} }, "),
    field: "users",
    problem: 'the name "u" is there twice',
  },
  {
    name: "no current context",
    text: kubeconfig("").replace("current-context: x", ""),
    field: "current-context",
    problem: 'no context is chosen; there are: "x"',
  },
  {
    name: "a current context that is not there",
    text: kubeconfig("").replace("current-context: x", "current-context: gone"),
    context: "gone",
    field: "current-context",
    problem: 'there is no such context; there are: "x"',
  },
  {
    name: "a cluster that is not there",
    text: kubeconfig("").replace("cluster: c,", "cluster: d,"),
    context: "x",
    field: 'contexts["x"].context.cluster',
    problem: 'there is no cluster "d"',
  },
  {
    name: "a user that is not there",
    text: kubeconfig("").replace("user: u,", "user: v,"),
    context: "x",
    field: 'contexts["x"].context.user',
    problem: 'there is no user "v"',
  },
  {
    name: "no server",
    text: kubeconfig("", "tls-server-name: c"),
    context: "x",
    field: 'clusters["c"].cluster.server',
    problem: "it is missing",
  },
  {
    name: "a server that is no address",
    text: kubeconfig("", 'server: "https://"'),
    context: "x",
    field: 'clusters["c"].cluster.server',
    problem: "is no address",
  },
  {
    name: "a proxy with an unknown scheme",
    text: kubeconfig("", "server: https://c, proxy-url: ftp://p"),
    context: "x",
    field: 'clusters["c"].cluster.proxy-url',
    problem: "scheme http, https or socks5",
  },
  {
    name: "certificate authority that is no base64",
    text: kubeconfig("", "server: https://c, certificate-authority-data: '***'"),
    context: "x",
    field: 'clusters["c"].cluster.certificate-authority-data',
    problem: "it is no base64",
  },
  {
    name: "insecure with an authority",
    text: kubeconfig("", "server: https://c, certificate-authority: /ca, insecure-skip-tls-verify: true"),
    context: "x",
    field: 'clusters["c"].cluster.insecure-skip-tls-verify',
    problem: "cannot be set together",
  },
  {
    name: "authority as data and as a file",
    text: kubeconfig("", `server: https://c, certificate-authority: /ca, certificate-authority-data: ${base64("CA")}`),
    context: "x",
    field: 'clusters["c"].cluster.certificate-authority-data',
    problem: "cannot be set together with certificate-authority",
  },
  {
    name: "a certificate without a key",
    text: kubeconfig("client-certificate: /c"),
    context: "x",
    field: 'users["u"].user.client-key-data',
    problem: "must be set together",
  },
  {
    name: "token and password",
    text: kubeconfig("token: t, username: u, password: p"),
    context: "x",
    field: 'users["u"].user.token',
    problem: "cannot be set together",
  },
  {
    name: "groups without a user to impersonate",
    text: kubeconfig("as-groups: [a]"),
    context: "x",
    field: 'users["u"].user.as',
    problem: "must be set together",
  },
  {
    name: "exec without a command",
    text: kubeconfig("exec: { apiVersion: client.authentication.k8s.io/v1 }"),
    context: "x",
    field: 'users["u"].user.exec.command',
    problem: "it is missing",
  },
  {
    name: "exec of a version that is gone",
    text: kubeconfig("exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: a }"),
    context: "x",
    field: 'users["u"].user.exec.apiVersion',
    problem: "is not supported",
  },
  {
    name: "exec v1 without an interactive mode",
    text: kubeconfig("exec: { apiVersion: client.authentication.k8s.io/v1, command: a }"),
    context: "x",
    field: 'users["u"].user.exec.interactiveMode',
    problem: "Never, IfAvailable or Always",
  },
  {
    name: "a provider that was removed",
    text: kubeconfig("auth-provider: { name: gcp }"),
    context: "x",
    field: 'users["u"].user.auth-provider.name',
    problem: "use an exec plugin",
  },
  {
    name: "OIDC without an issuer",
    text: kubeconfig("auth-provider: { name: oidc, config: { client-id: a } }"),
    context: "x",
    field: 'users["u"].user.auth-provider.config.idp-issuer-url',
    problem: "it is missing",
  },
  {
    name: "a chosen context that is not there",
    text: kubeconfig(""),
    choice: { context: "z" },
    context: "z",
    problem: "there is no such context",
  },
];

describe("kubeconfigs that do not load report where they are wrong", () => {
  for (const { name, text, choice, context, field, problem } of broken)
    it(name, () => {
      let error: unknown;
      try {
        resolveText(text, choice);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(KubeconfigError);
      expect(error).toMatchObject({ file, context, field });
      expect((error as Error).message).toContain(problem);
      for (const part of [file, ...(context ? [JSON.stringify(context)] : []), ...(field ? [field] : [])])
        expect((error as Error).message).toContain(part);
    });
});
