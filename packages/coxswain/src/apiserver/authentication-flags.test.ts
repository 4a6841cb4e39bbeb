import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { parseFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, describe, expect, it } from "vitest";
import { authenticationFrom } from "./authentication.js";
import { authenticationFlags } from "./authentication-flags.js";
import { readCredentials } from "./tls-files.js";

const folder = mkdtempSync(join(tmpdir(), "coxswain-flags-"));
const certificates = ensureCertificates(folder, { clock: systemClock, random: systemRandom });
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

function read(args: readonly string[], modes: readonly string[] = ["Node", "RBAC"]) {
  const parsed = parseFlags(authenticationFlags, args);
  if (parsed.kind === "help") throw new Error("no help was asked for");
  return authenticationFrom(parsed.options, parsed.given, modes).read(certificates, certificates.ca.certificate);
}

describe("the flags of authentication", () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it("by default: anonymous clients see health, the data directory's proxy may name users, its key signs", () => {
    const { anonymous, requestHeader, serviceAccount, jwt, webhook } = read([]);
    expect({ anonymous, jwt, webhook }).toEqual({ anonymous: undefined, jwt: undefined, webhook: undefined });
    expect(requestHeader).toMatchObject({
      authority: certificates.frontProxyCa.certificate,
      allowedNames: ["front-proxy-client"],
      username: ["X-Remote-User"],
    });
    expect(serviceAccount).toMatchObject({
      signingKey: certificates.serviceAccount.privateKey,
      issuers: ["https://kubernetes.default.svc.cluster.local"],
      lookup: true,
      extendExpiration: true,
    });
  });
  it("--anonymous-auth is upstream's looser default", () =>
    expect(read(["--anonymous-auth"]).anonymous).toEqual({ enabled: true, paths: [] }));
  it("--anonymous-auth=false shuts health, too", () =>
    expect(read(["--anonymous-auth=false"]).anonymous).toEqual({ enabled: false, paths: [] }));
  it("nobody is anonymous where everybody may do everything", () =>
    expect(read(["--anonymous-auth"], ["AlwaysAllow"]).anonymous).toEqual({ enabled: false, paths: [] }));
  it("a bundle of authorities in which there are none is refused", () => {
    const junk = file("junk.crt", "junk");
    const without = (purpose: string): string =>
      `error loading CA bundle for "${purpose}::${junk}": data does not contain any valid RSA or ECDSA certificates`;
    expect(() =>
      read([
        `--requestheader-client-ca-file=${junk}`,
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      ]),
    ).toThrow(without("request-header"));
    expect(() =>
      readCredentials(
        { certificateFile: undefined, keyFile: undefined, clientAuthorityFile: junk, named: [] },
        certificates,
      ),
    ).toThrow(without("client-ca-bundle"));
  });
  it("several issuers, keys and audiences", () =>
    expect(
      read([
        "--service-account-issuer=https://a",
        "--service-account-issuer=https://b",
        "--api-audiences=x,y",
        `--service-account-key-file=${certificates.serviceAccount.publicKeyFile}`,
        "--service-account-max-token-expiration=2h",
      ]),
    ).toMatchObject({
      audiences: ["x", "y"],
      serviceAccount: {
        issuers: ["https://a", "https://b"],
        keys: [certificates.serviceAccount.publicKey],
        maxExpirationSeconds: 7200,
      },
    }));
  it("--oidc-… is one issuer", () =>
    expect(
      read([
        "--oidc-issuer-url=https://issuer",
        "--oidc-client-id=kube",
        "--oidc-groups-claim=groups",
        "--oidc-required-claim=hd=x",
        "--oidc-signing-algs=RS256,ES256",
      ]).jwt,
    ).toEqual({
      issuers: [
        {
          url: "https://issuer",
          audiences: ["kube"],
          requiredClaims: [{ claim: "hd", value: "x" }],
          username: { claim: "sub", prefix: "https://issuer#" },
          groups: { claim: "groups", prefix: "" },
        },
      ],
      algorithms: ["RS256", "ES256"],
    }));
  it("the claim email has no prefix, and - means none", () => {
    expect(
      read(["--oidc-issuer-url=https://issuer", "--oidc-client-id=kube", "--oidc-username-claim=email"]).jwt?.issuers[0]
        ?.username,
    ).toEqual({ claim: "email", prefix: "" });
    expect(
      read(["--oidc-issuer-url=https://issuer", "--oidc-client-id=kube", "--oidc-username-prefix=-"]).jwt?.issuers[0]
        ?.username,
    ).toEqual({ claim: "sub", prefix: "" });
  });
  it("--authentication-config", () =>
    expect(
      read([
        `--authentication-config=${file("a.yaml", "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true, conditions: [{path: /livez}]}\n")}`,
      ]).anonymous,
    ).toEqual({ enabled: true, paths: ["/livez"] }));
  it("a token webhook", () => {
    const kubeconfig = file(
      "webhook.yaml",
      "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: ''}}]\nclusters: [{name: c, cluster: {server: 'https://far/ask'}}]\n",
    );
    expect(
      read([`--authentication-token-webhook-config-file=${kubeconfig}`, "--authentication-token-webhook-cache-ttl=10s"])
        .webhook,
    ).toMatchObject({ connection: { server: "https://far/ask" }, version: "v1beta1", cacheMs: 10_000 });
  });

  const wrong: [args: string[], error: string][] = [
    [
      ["--oidc-issuer-url=https://issuer"],
      "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set",
    ],
    [
      ["--oidc-issuer-url=http://issuer", "--oidc-client-id=kube"],
      'jwt[0].issuer.url: Invalid value: "http://issuer": URL scheme must be https',
    ],
    [
      ["--oidc-issuer-url=https://issuer", "--oidc-client-id=kube", "--oidc-signing-algs=HS256"],
      'oidc: unsupported signing alg: "HS256"',
    ],
    [
      ["--oidc-issuer-url=https://issuer", "--oidc-client-id=kube", "--authentication-config=x"],
      "authentication-config file and oidc-* flags are mutually exclusive",
    ],
    [
      ["--service-account-max-token-expiration=10m"],
      "the service-account-max-token-expiration must be between 1 hour and 2^32 seconds",
    ],
    [["--service-account-issuer=a", "--service-account-issuer=a"], 'service-account-issuer "a" is already specified'],
    [["--service-account-jwks-uri=http://x"], "service-account-jwks-uri requires https scheme, parsed as: http://x"],
    [
      ["--service-account-signing-endpoint=/x.sock", "--service-account-signing-key-file=x"],
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    ],
    [["--service-account-signing-endpoint=/x.sock", "--service-account-key-file=x"], "(They are mutually exclusive)"],
    [
      ["--service-account-signing-endpoint=@a/b"],
      'invalid value "@a/b" passed for `--service-account-signing-endpoint`, when prefixed with @ must be a valid abstract socket name',
    ],
    [
      ["--requestheader-uid-headers=x-uid"],
      "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work",
    ],
    [
      [`--requestheader-client-ca-file=${join(folder, "pki/ca.crt")}`],
      "contain overlapping certificates; --requestheader-allowed-names must be specified",
    ],
  ];
  for (const [args, error] of wrong)
    it(`reports: ${error.slice(0, 70)}`, () => expect(() => read(args)).toThrow(error));
});
