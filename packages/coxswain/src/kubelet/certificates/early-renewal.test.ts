import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createAuthority, createClientIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { succeeds } from "../../node/run/follow-authority.js";
import { EarlyRenewal, isSignedByFormer } from "./early-renewal.js";
import { keepCertificate } from "./keep-certificate.js";
import type { CertificatePair } from "./request-certificate.js";

const hour = 3_600_000;
const random = createSeededRandom("early");
const validity = { notBefore: 0, notAfter: 100 * hour, random };
const [old, next, other] = ["old", "next", "other"].map((commonName) =>
  createAuthority({ ...validity, subject: { commonName } }),
) as [ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>];
const pairBy = (authority: typeof old): CertificatePair => {
  const made = createClientIdentity(authority, { ...validity, subject: { commonName: "system:node:a" } });
  return { certificate: made.pem, key: encodePrivateKey(made.privateKey) };
};

describe("while an authority is replaced, a node's certificate", () => {
  const ofOld = pairBy(old).certificate;
  const rows = [
    { name: "is good where its signer is alone", bundle: old.pem, isDue: false },
    { name: "is good while its signer comes first", bundle: old.pem + next.pem, isDue: false },
    {
      name: "is due when another one comes first, and its own is still trusted",
      bundle: next.pem + old.pem,
      isDue: true,
    },
    { name: "is somebody else's where none of them signed it", bundle: other.pem + next.pem, isDue: false },
  ];
  for (const { name, bundle, isDue } of rows) it(name, () => expect(isSignedByFormer(ofOld, bundle)).toBe(isDue));
});

describe("authorities that are published", () => {
  const rows = [
    { name: "follow by overlap", before: old.pem, published: old.pem + next.pem, isTaken: true },
    { name: "lose the former one", before: next.pem + old.pem, published: next.pem, isTaken: true },
    { name: "are not taken where all are others", before: old.pem, published: next.pem, isTaken: false },
    { name: "are not taken where there is none", before: old.pem, published: "", isTaken: false },
    { name: "are not taken where they cannot be read", before: old.pem, published: "x", isTaken: false },
  ];
  for (const { name, before, published, isTaken } of rows)
    it(name, () => expect(succeeds(published, before)).toBe(isTaken));
});

describe("a certificate that is kept", () => {
  const clock = createVirtualClock({ startMs: 0 });
  const start = (signers: (typeof old)[]) => {
    const early = new EarlyRenewal();
    const ending = new AbortController();
    const state = { current: pairBy(old).certificate, asked: 0 };
    const kept = keepCertificate(
      testRuntime(1, { clock, ioClock: clock }),
      {
        what: "client certificate",
        nodeName: "a",
        early,
        current: () => state.current,
        async request() {
          state.asked++;
          // The second asking comes while the first request is under way.
          if (signers.length > 1) early.ask();
          return pairBy(signers.shift() ?? next);
        },
        replace: ({ certificate }) => void (state.current = certificate),
      },
      ending.signal,
    );
    return { early, state, stop: () => (ending.abort(), kept) };
  };

  it("is replaced when it is asked to, long before its end", async () => {
    const { early, state, stop } = start([next]);
    await clock.advance(hour);
    expect(state.asked).toBe(0);
    early.ask();
    await clock.advance(1000);
    expect([state.asked, isSignedByFormer(state.current, next.pem + old.pem)]).toEqual([1, false]);
    await stop();
  });

  it("is replaced once more when it was asked to in the middle of a request", async () => {
    const { early, state, stop } = start([old, next]);
    early.ask();
    await clock.advance(3000);
    expect([state.asked, isSignedByFormer(state.current, next.pem + old.pem)]).toEqual([2, false]);
    await stop();
  });

  it("that is due as soon as it is there is not asked for in a loop", async () => {
    await clock.advance(99 * hour);
    const { state, stop } = start([]);
    await clock.advance(10_000);
    expect(state.asked).toBeLessThanOrEqual(10);
    await stop();
  });
});
