import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { certificateCleanerController } from "./controller.js";
import { isOutdated } from "./plan.js";

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 2);
type ConditionType = "Approved" | "Denied" | "Failed";
const request = (hours: number, type?: ConditionType, certificate?: string): CertificateSigningRequest => ({
  metadata: { name: "r", creationTimestamp: formatTime(now - hours * hour) },
  spec: { request: "", signerName: "example.com/s", usages: [] },
  status: {
    ...(type && { conditions: [{ type, status: "True", lastUpdateTime: formatTime(now - hours * hour) }] }),
    ...(certificate && { certificate }),
  },
});

describe("whether a request has stayed for long enough", () => {
  const at = (hours: number, type: ConditionType) => request(hours, type).status?.conditions ?? [];
  const rows: { name: string; request: CertificateSigningRequest; expiresIn?: number; is: boolean }[] = [
    { name: "undecided for less than a day: no", request: request(23), is: false },
    { name: "undecided for more than a day", request: request(25), is: true },
    { name: "just denied: no", request: request(0.5, "Denied"), is: false },
    { name: "denied for more than an hour", request: request(1.1, "Denied"), is: true },
    { name: "failed for more than an hour", request: request(1.1, "Failed"), is: true },
    { name: "issued for more than an hour", request: request(1.1, "Approved", "c"), is: true },
    { name: "just issued: no", request: request(0.5, "Approved", "c"), expiresIn: hour, is: false },
    { name: "just issued, and no longer valid", request: request(0.5, "Approved", "c"), expiresIn: -1, is: true },
    {
      name: "approved long ago and just failed: no",
      request: {
        ...request(2, "Approved"),
        status: { conditions: [...at(2, "Approved"), ...at(0.8, "Failed")] },
      },
      is: false,
    },
    {
      name: "approved and failed long ago",
      request: { ...request(2, "Approved"), status: { conditions: [...at(2, "Approved"), ...at(2, "Failed")] } },
      is: true,
    },
    { name: "approved and not issued for less than a day: no", request: request(23, "Approved"), is: false },
    { name: "approved and not issued for more than a day", request: request(25, "Approved"), is: true },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(
        isOutdated(row.request, {
          nowMs: now,
          expiresMs: row.expiresIn === undefined ? undefined : now + row.expiresIn,
        }),
      ).toBe(row.is),
    );
});

// Of a P-256 key, made with openssl: the subject is CN=test.
const certificateRequest =
  "-----BEGIN CERTIFICATE REQUEST-----\nMIHJMHECAQAwDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCtdve4GqbSpa5XaGjfGYOesqJ25LbPWQmUpota1Vac4vyLzKpvc2ozj2xaU39gS3+RURkTzN3MZ834Lb85YcmygADAKBggqhkjOPQQDAgNIADBFAiEA9k409vCkMgr0O0zD30lZB4M6cXdebwpX11AS87vmjzACIDqBwB39R4ndSsIyFk/mnilV4YMd8fiql/Us+Iy0LojD\n-----END CERTIFICATE REQUEST-----\n";

describe("the cleaner of certificate signing requests", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  // A virtual day is some hundred watches that end and begin anew.
  it("deletes a request that nobody decides about after a day, also across a restart", {
    timeout: 120_000,
  }, async () => {
    cluster = await startTestCluster({ controllers: [certificateCleanerController] });
    const requests = cluster.client.certificates.v1.certificatesigningrequests();
    await requests.create({
      metadata: { name: "r" },
      spec: { request: btoa(certificateRequest), signerName: "example.com/s", usages: ["client auth"] },
    });
    await cluster.advance(23 * hour);
    expect((await requests.list()).items).toHaveLength(1);
    await cluster.restart();
    await cluster.advance(3 * hour);
    expect((await requests.list()).items).toHaveLength(0);
  });
});
