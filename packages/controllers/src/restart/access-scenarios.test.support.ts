import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { Client } from "@coxswain/client";
import { bootstrapSignerController } from "../bootstrap-signer/controller.js";
import { certificateApprovingController } from "../certificate-approving/controller.js";
import { certificateCleanerController } from "../certificate-cleaner/controller.js";
import { clientRequest, clientUsages, requestFor } from "../certificate-requests/requests.test.support.js";
import { certificateSigningController } from "../certificate-signing/controller.js";
import { clusterRoleAggregationController } from "../cluster-role-aggregation/controller.js";
import { clusterTrustBundlePublisherController } from "../cluster-trust-bundle-publisher/controller.js";
import { legacyServiceAccountTokenCleanerController } from "../legacy-service-account-token-cleaner/controller.js";
import { podCertificateRequestCleanerController } from "../pod-certificate-request-cleaner/controller.js";
import { rootCaPublisherController } from "../root-ca-publisher/controller.js";
import { serviceAccountController } from "../service-account/controller.js";
import { serviceAccountTokenController } from "../service-account-token/controller.js";
import { tokenType } from "../service-account-token/plan.js";
import { fixedRootCa } from "../settings/root-ca.js";
import { tokenCleanerController } from "../token-cleaner/controller.js";
import { validatingAdmissionPolicyStatusController } from "../validating-admission-policy-status/controller.js";
import { authorityCertificate } from "./authority.test.support.js";
import type { Scenario } from "./scenario.test.support.js";

const hour = 3_600_000;
const kubeletSigner = "kubernetes.io/kube-apiserver-client-kubelet";
const bootstrapToken = (id: string, expiration?: string) => ({
  metadata: { name: `bootstrap-token-${id}` },
  type: "bootstrap.kubernetes.io/token",
  stringData: {
    "token-id": id,
    "token-secret": "0123456789abcdef",
    "usage-bootstrap-signing": "true",
    ...(expiration && { expiration }),
  },
});
const createRequest = (client: Client, name: string, signer = kubeletSigner) =>
  client.certificates.v1
    .certificatesigningrequests()
    .create({ ...requestFor(signer, clientUsages, { pem: clientRequest }), metadata: { name } });
const tokenSecret = (client: Client, name: string, account: string, labels: Record<string, string> = {}) =>
  client.core.v1.secrets("default").create({
    metadata: { name, labels, annotations: { "kubernetes.io/service-account.name": account } },
    type: tokenType,
  });
const role = (name: string, labels: Record<string, string>, resource: string) => ({
  metadata: { name, labels },
  rules: [{ apiGroups: [""], resources: [resource], verbs: ["get"] }],
});

export const accessScenarios: readonly Scenario[] = [
  {
    name: "service accounts of namespaces",
    controllers: [serviceAccountController],
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"]) await client.core.v1.namespaces().create({ metadata: { name } });
      },
      ({ client }) => client.core.v1.serviceaccounts("a").delete("default"),
    ],
  },
  {
    name: "root certificates of namespaces",
    controllers: [rootCaPublisherController],
    settings: { rootCa: fixedRootCa("PEM") },
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"]) await client.core.v1.namespaces().create({ metadata: { name } });
      },
      ({ client }) =>
        client.core.v1.configmaps("a").patch("kube-root-ca.crt", { merge: { data: { "ca.crt": "forged" } } }),
    ],
  },
  {
    name: "tokens of service accounts",
    controllers: [serviceAccountTokenController],
    settings: { rootCa: fixedRootCa("CA"), signServiceAccountToken: ({ sub }) => `token of ${String(sub)}` },
    steps: [
      async ({ client }) => {
        for (const name of ["robot", "other"])
          await client.core.v1.serviceaccounts("default").create({ metadata: { name } });
        await tokenSecret(client, "t", "robot");
        await tokenSecret(client, "u", "other");
        await tokenSecret(client, "stray", "nobody");
      },
      ({ client }) => client.core.v1.serviceaccounts("default").delete("other"),
    ],
  },
  {
    name: "unused tokens that are marked and deleted",
    controllers: [legacyServiceAccountTokenCleanerController],
    settings: { legacyTokenCleanUpPeriodMs: hour },
    steps: [
      async ({ client }) => {
        const { configmaps, serviceaccounts } = client.core.v1;
        await configmaps("kube-system").patch("kube-apiserver-legacy-service-account-token-tracking", {
          merge: { data: { since: "2025-12-01" } },
        });
        const names = ["a", "b", "c"];
        await serviceaccounts("default").create({ metadata: { name: "a" }, secrets: names.map((name) => ({ name })) });
        for (const name of names) await tokenSecret(client, name, "a");
        await tokenSecret(client, "own", "a");
      },
      // Marked on the first day, deleted after the second.
      ({ advance }) => advance(25 * hour),
      ({ advance }) => advance(49 * hour),
    ],
  },
  {
    name: "expired bootstrap tokens that are deleted",
    controllers: [tokenCleanerController],
    steps: [
      async ({ client, advance }) => {
        const secrets = client.core.v1.secrets("kube-system");
        for (const id of ["abcdef", "uvwxyz"]) await secrets.create(bootstrapToken(id, "2026-01-01T01:00:00Z"));
        await secrets.create(bootstrapToken("lasting"));
        await advance(2 * hour);
      },
    ],
  },
  {
    name: "signatures of cluster-info",
    controllers: [bootstrapSignerController],
    steps: [
      async ({ client }) => {
        await client.core.v1
          .configmaps("kube-public")
          .create({ metadata: { name: "cluster-info" }, data: { kubeconfig: "content" } });
        for (const id of ["abcdef", "uvwxyz"]) await client.core.v1.secrets("kube-system").create(bootstrapToken(id));
      },
      ({ client }) => client.core.v1.secrets("kube-system").delete("bootstrap-token-abcdef"),
    ],
  },
  {
    name: "requests of kubelets that are approved",
    controllers: [certificateApprovingController],
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"]) await createRequest(client, name);
      },
    ],
  },
  {
    name: "approved requests that are signed",
    controllers: [certificateSigningController],
    settings: { certificateSigning: { signers: { [kubeletSigner]: () => authorityCertificate } } },
    steps: [
      async ({ client }) => {
        const requests = client.certificates.v1.certificatesigningrequests();
        for (const name of ["a", "b"]) {
          const request = await createRequest(client, name);
          await requests.subresource<CertificateSigningRequest>("approval").update(name, {
            ...request,
            apiVersion: "certificates.k8s.io/v1",
            kind: "CertificateSigningRequest",
            status: { conditions: [{ type: "Approved", status: "True" }] },
          });
        }
      },
    ],
  },
  {
    name: "old requests that are deleted",
    controllers: [certificateCleanerController],
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"]) await createRequest(client, name, "example.com/s");
      },
      ({ advance }) => advance(26 * hour),
    ],
  },
  {
    name: "old requests of pods that are deleted",
    controllers: [podCertificateRequestCleanerController],
    api: {
      featureGates: new Map([["PodCertificateRequest", "true"]]),
      runtimeConfig: new Map([["certificates.k8s.io/v1beta1", "true"]]),
    },
    passMs: hour / 2,
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"])
          await client.certificates.v1beta1.podcertificaterequests("default").create({
            metadata: { name },
            spec: {
              signerName: "example.com/s",
              podName: "p",
              podUID: "u",
              serviceAccountName: "default",
              serviceAccountUID: "u",
              nodeName: "n",
              nodeUID: "u",
              stubPKCS10Request: btoa(clientRequest),
            },
          });
      },
    ],
  },
  {
    name: "rules of aggregated roles",
    controllers: [clusterRoleAggregationController],
    steps: [
      async ({ client }) => {
        const roles = client.rbac.v1.clusterroles();
        for (const name of ["sum", "total"])
          await roles.create({
            metadata: { name },
            aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "sum" } }] },
            rules: [],
          });
        await roles.create(role("x", { to: "sum" }, "x"));
        await roles.create(role("y", { to: "sum" }, "y"));
      },
      ({ client }) => client.rbac.v1.clusterroles().delete("x"),
    ],
  },
  {
    name: "the published trust bundle",
    controllers: [clusterTrustBundlePublisherController],
    settings: { rootCa: fixedRootCa(authorityCertificate) },
    api: {
      featureGates: new Map([["ClusterTrustBundle", "true"]]),
      runtimeConfig: new Map([["certificates.k8s.io/v1beta1", "true"]]),
    },
    passMs: 60_000,
    steps: [
      async ({ client }) => {
        const bundles = client.certificates.v1beta1.clustertrustbundles();
        const [bundle] = (await bundles.list()).items;
        if (bundle) await bundles.delete(bundle.metadata?.name ?? "");
      },
    ],
  },
  {
    name: "the status of admission policies",
    controllers: [validatingAdmissionPolicyStatusController],
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"])
          await client.admissionregistration.v1.validatingadmissionpolicies().create({
            metadata: { name },
            spec: {
              matchConstraints: {
                resourceRules: [
                  { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
                ],
              },
              validations: [{ expression: "object.foo.bar == true" }],
            },
          });
      },
    ],
  },
];
