import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { alreadyExists } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { createFakeServer } from "../informers/fake-server.test.support.js";
import type { ListerWatcher } from "../watch/index.js";
import { type CertificateRequests, requestCertificate, waitForCertificate } from "./index.js";

const { signal } = new AbortController();
const base = { pem: "-----BEGIN", signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"], signal };

describe("asking for a certificate", () => {
  function requestsWith(existing?: Partial<CertificateSigningRequest["spec"]>): CertificateRequests {
    const spec = { request: btoa(base.pem), signerName: base.signerName, ...existing };
    return {
      list: () => Promise.reject(new Error("not used")),
      watch: () => Promise.reject(new Error("not used")),
      get: async (name) => ({ metadata: { name, uid: "old" }, spec }),
      async create(request) {
        if (existing !== undefined)
          throw alreadyExists({ group: "certificates.k8s.io", resource: "certificatesigningrequests" }, "mine");
        return { ...request, metadata: { name: request.metadata?.name ?? "csr-x", uid: "new" } };
      },
    };
  }

  it("creates the request", async () =>
    expect(await requestCertificate({ ...base, requests: requestsWith() })).toEqual({ name: "csr-x", uid: "new" }));
  it("takes up the same request from before", async () =>
    expect(await requestCertificate({ ...base, name: "mine", requests: requestsWith({}) })).toEqual({
      name: "mine",
      uid: "old",
    }));
  it("refuses another request of that name", async () =>
    expect(
      requestCertificate({ ...base, name: "mine", requests: requestsWith({ request: "b3RoZXI=" }) }),
    ).rejects.toThrow('the certificate signing request "mine" exists and is another one'));
});

describe("waiting for a certificate", () => {
  const cases: { name: string; conditions: string[]; certificate?: string; outcome: string }[] = [
    { name: "signed", conditions: ["Approved"], certificate: btoa("PEM"), outcome: "PEM" },
    {
      name: "denied",
      conditions: ["Denied"],
      outcome: "Error: certificate signing request is denied, reason: why, message: because",
    },
    {
      name: "failed",
      conditions: ["Approved", "Failed"],
      outcome: "Error: certificate signing request failed, reason: why, message: because",
    },
    { name: "nothing yet", conditions: ["Approved"], outcome: "waiting" },
    { name: "a certificate without approval", conditions: [], certificate: btoa("PEM"), outcome: "waiting" },
  ];
  for (const { name, conditions, certificate, outcome } of cases)
    it(name, async () => {
      const runtime = testRuntime(1);
      const { clock } = runtime;
      const server = createFakeServer({ clock });
      const { uid = "" } = server.put("mine", 1).metadata;
      // The fake server keeps things; their status is added on the way.
      const status = {
        conditions: conditions.map((type) => ({ type, status: "True", reason: "why", message: "because" })),
        ...(certificate === undefined ? {} : { certificate }),
      };
      const listerWatcher = server.listerWatcher as unknown as ListerWatcher<CertificateSigningRequest>;
      const requests = {
        ...listerWatcher,
        watch: () => Promise.reject(new Error("no")),
        list: async (...args: Parameters<typeof listerWatcher.list>) => {
          const page = await listerWatcher.list(...args);
          return { ...page, items: page.items.map((item) => ({ ...item, status })) };
        },
      } as unknown as CertificateRequests;
      const ending = new AbortController();
      let result = "waiting";
      const waiting = waitForCertificate({
        requests,
        name: "mine",
        uid,
        runtime,
        signal: ending.signal,
      }).then(
        (pem) => (result = pem),
        (error: unknown) => (result = String(error)),
      );
      await clock.advance(20_000);
      expect(result).toBe(outcome);
      expect(server.requests[0]).toContain('"fieldSelector":"metadata.name=mine"');
      ending.abort();
      await waiting;
    });
});
