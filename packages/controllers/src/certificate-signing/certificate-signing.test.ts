import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CertificateSigningRequest, KeyUsage } from "@coxswain/api/certificates/v1";
import { createRequestSigner, ensureAuthority } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUsages, requestFor, servingRequest } from "../certificate-requests/requests.test.support.js";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { certificateSigningController } from "./controller.js";
import { durationOf, planSigning } from "./plan.js";

const hour = 3_600_000;
const approved = (request: CertificateSigningRequest, ...types: ("Approved" | "Denied" | "Failed")[]) => ({
  ...request,
  status: { conditions: types.map((type) => ({ type, status: "True" as const })) },
});

describe("what a signer does with a request", () => {
  const client = "kubernetes.io/kube-apiserver-client";
  const rows: { name: string; request: CertificateSigningRequest; kind: string; message?: string }[] = [
    { name: "nothing before it is approved", request: requestFor(client, clientUsages), kind: "leave" },
    {
      name: "nothing once it is denied",
      request: approved(requestFor(client, clientUsages), "Approved", "Denied"),
      kind: "leave",
    },
    {
      name: "nothing once it has failed",
      request: approved(requestFor(client, clientUsages), "Approved", "Failed"),
      kind: "leave",
    },
    {
      name: "nothing for other signers",
      request: approved(requestFor("example.com/s", clientUsages), "Approved"),
      kind: "leave",
    },
    {
      name: "nothing for signers of Kubernetes that do not exist",
      request: approved(requestFor("kubernetes.io/not-recognized", clientUsages), "Approved"),
      kind: "leave",
    },
    {
      name: "signs for clients with key encipherment",
      request: approved(requestFor(client, [...clientUsages, "key encipherment"]), "Approved"),
      kind: "sign",
    },
    { name: "signs for clients", request: approved(requestFor(client, clientUsages), "Approved"), kind: "sign" },
    {
      name: "refuses clients another usage",
      request: approved(requestFor(client, ["client auth", "server auth"]), "Approved"),
      kind: "fail",
      message: "invalid usage for client certificate: server auth",
    },
    {
      name: "refuses clients without theirs",
      request: approved(requestFor(client, ["digital signature"]), "Approved"),
      kind: "fail",
      message: "missing required usage for client certificate: client auth",
    },
    {
      name: "signs for kubelets as clients",
      request: approved(requestFor("kubernetes.io/kube-apiserver-client-kubelet", clientUsages), "Approved"),
      kind: "sign",
    },
    {
      name: "refuses kubelets as clients with names",
      request: approved(
        requestFor("kubernetes.io/kube-apiserver-client-kubelet", clientUsages, { pem: servingRequest }),
        "Approved",
      ),
      kind: "fail",
      message: "DNS subjectAltNames are not allowed",
    },
    {
      name: "signs for kubelets as servers",
      request: approved(
        requestFor("kubernetes.io/kubelet-serving", ["digital signature", "server auth"], { pem: servingRequest }),
        "Approved",
      ),
      kind: "sign",
    },
    {
      name: "refuses kubelets as servers without names",
      request: approved(requestFor("kubernetes.io/kubelet-serving", ["digital signature", "server auth"]), "Approved"),
      kind: "fail",
      message: "DNS or IP subjectAltName is required",
    },
    {
      name: "signs anything for legacy-unknown",
      request: approved(requestFor("kubernetes.io/legacy-unknown", ["any"] as KeyUsage[]), "Approved"),
      kind: "sign",
    },
  ];
  for (const { name, request, kind, message } of rows)
    it(name, () => expect(planSigning(request, hour)).toMatchObject({ kind, ...(message && { message }) }));
  const durations: [seconds: number | undefined, ms: number][] = [
    [undefined, 24 * hour],
    [3600, hour],
    [60, 600_000],
    [600, 600_000],
    [-600, 600_000],
    [86_400, 24 * hour],
    [1_000_000, 24 * hour],
  ];
  for (const [seconds, ms] of durations)
    it(`for ${seconds} s it signs for ${ms} ms`, () => expect(durationOf(seconds, 24 * hour)).toBe(ms));
});

describe("the signing controller", () => {
  let folder: string;
  let cluster: TestCluster;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "signing-"))));
  afterEach(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it("issues certificates of its authority, and reports why it does not", async () => {
    const options = { clock: systemClock, random: systemRandom };
    const { certificate, key } = ensureAuthority(folder, "ca", { ...options, commonName: "test" });
    const sign = createRequestSigner({ ...options, certificate, key });
    cluster = await startTestCluster({
      controllers: [certificateSigningController],
      settings: { certificateSigning: { signers: { "kubernetes.io/kube-apiserver-client": sign } } },
    });
    const requests = cluster.client.certificates.v1.certificatesigningrequests();
    const submit = async (name: string, usages: KeyUsage[]) => {
      const request = await requests.create({
        ...requestFor("kubernetes.io/kube-apiserver-client", usages),
        metadata: { name },
      });
      await requests
        .subresource<CertificateSigningRequest>("approval")
        .update(
          name,
          approved({ ...request, apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest" }, "Approved"),
        );
    };
    await submit("good", clientUsages);
    await submit("bad", ["server auth"]);
    await cluster.settle();
    const issued = new X509Certificate(Buffer.from((await requests.get("good")).status?.certificate ?? "", "base64"));
    expect(issued.checkIssued(new X509Certificate(certificate))).toBe(true);
    expect((await requests.get("bad")).status?.conditions).toContainEqual(
      expect.objectContaining({
        type: "Failed",
        reason: "SignerValidationFailure",
        message: "invalid usage for client certificate: server auth",
      }),
    );
  });
});
