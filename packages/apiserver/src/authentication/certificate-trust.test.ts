import { readCertificates } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import type { ClientCertificate } from "../request/request.js";
import { createCertificateTrust } from "./certificate-trust.js";

/** `openssl x509 -req -signkey` makes version 1, which has no extensions; the user's is signed by it with `openssl x509 -req -CA`. */
const oldAuthority = `-----BEGIN CERTIFICATE-----
MIIBHjCBxQIUaEvqAgDimyuI0Y4hpm0T0dMgcC0wCgYIKoZIzj0EAwIwETEPMA0G
A1UEAwwGb2xkLWNhMCAXDTI2MTExNjAyMjg1OVoYDzIxMjYxMDIzMDIyODU5WjAR
MQ8wDQYDVQQDDAZvbGQtY2EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATajBw1
e7ypJe8z4AdpI7w337mXH0i9oQ4sZHKNTAzJLZcE3XGDilsud+VARvKWAhWeUG6U
jhUsUX71zVw+Pq+1MAoGCCqGSM49BAMCA0gAMEUCIQD7oJT3vCcTzcxt245mGGMl
LIDj/DhpIvnAlo17h8G0CQIgJ6+CFROjj3wFS+ANSg290ZqaTP7IBBQ13V3RkzTm
3uQ=
-----END CERTIFICATE-----
`;
const ofOldAuthority = `-----BEGIN CERTIFICATE-----
MIIBGzCBwgIUL4AEhVMEFZ0Zs1KoqdEs1cWAf98wCgYIKoZIzj0EAwIwETEPMA0G
A1UEAwwGb2xkLWNhMCAXDTI2MTExNjAyMjg1OVoYDzIxMjYxMDIzMDIyODU5WjAO
MQwwCgYDVQQDDANhZGEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATCA8a8ucJ0
/Ihujls4CD04kd2XQl5sUdIueFu2ikshAvcRrF7TXcYBRzL5TdpykcC2KOtr5CpP
jMeYzDxjtbMDMAoGCCqGSM49BAMCA0gAMEUCIE8jZvlnlSBhsVamL3nky5EmsvHE
rzucwJ63jQRyw0uvAiEAtJRzK+MNDSdL7OCOWe6A0YrabtU25PZLfU7WXVgVc2Y=
-----END CERTIFICATE-----
`;
/** Version 3, and a certificate of version 1 that it gave to the old authority's key. */
const root = `-----BEGIN CERTIFICATE-----
MIIBdDCCARugAwIBAgIUCG9jzm0rWtMvcB6gtAoaaWNURM4wCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEcm9vdDAgFw0yNjExMTYwMjMwMzBaGA8yMTI2MTAyMzAyMzAz
MFowDzENMAsGA1UEAwwEcm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKrd
j73eGfwkKgslKGBsaH/5oMNUrVMy/GuMmCDDNgMpxAm09wRc1xTHDTdOEUM4vYvR
RhfwwGMtbAmmdtmoYsSjUzBRMB0GA1UdDgQWBBTl9wCqg0AZZbRdVNakBJKmdTCl
izAfBgNVHSMEGDAWgBTl9wCqg0AZZbRdVNakBJKmdTClizAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0cAMEQCIDXgMebERv8FH0+PwO2JpEzYO2WPMFwXeSvz
mjyLG1CIAiBkbthldv4mVZro2lgk+zilNSJJ7bHxlncBA+S3poiPFA==
-----END CERTIFICATE-----
`;
const oldIntermediate = `-----BEGIN CERTIFICATE-----
MIIBHTCBwwIUa4M09T8032AnnjmejWBvB0iK8NswCgYIKoZIzj0EAwIwDzENMAsG
A1UEAwwEcm9vdDAgFw0yNjExMTYwMjMwMzBaGA8yMTI2MTAyMzAyMzAzMFowETEP
MA0GA1UEAwwGb2xkLWNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2owcNXu8
qSXvM+AHaSO8N9+5lx9IvaEOLGRyjUwMyS2XBN1xg4pbLnflQEbylgIVnlBulI4V
LFF+9c1cPj6vtTAKBggqhkjOPQQDAgNJADBGAiEAq4VcZgRxjyCVgekWZJBPWNM1
LqWsodu4U0E2edLJgfoCIQC0uxAWg7rRoyhkDzFdfLxFCUVgkUSzgvFNxuLyatdu
Ig==
-----END CERTIFICATE-----
`;
const now = Date.UTC(2027, 0, 1);
const clock = { now: () => now };

const sent = (pem: string): ClientCertificate => {
  const [leaf, ...chain] = readCertificates(pem);
  return { isTrusted: true, problem: "", leaf, fingerprint: "", chain };
};

describe("authorities of client certificates", () => {
  it("may be of version 1, which has no field that marks authorities", () => {
    expect(createCertificateTrust(oldAuthority, clock).problemOf(sent(ofOldAuthority))).toBeUndefined();
  });

  it("vouch for nothing of that version that is only sent along", () => {
    expect(createCertificateTrust(root, clock).problemOf(sent(ofOldAuthority + oldIntermediate))).toBe(
      "x509: certificate signed by unknown authority",
    );
    expect(createCertificateTrust(root + oldIntermediate, clock).problemOf(sent(ofOldAuthority))).toBeUndefined();
  });
});
