import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { type CachedSecret, tokenType } from "../service-account-token/plan.js";
import { legacyServiceAccountTokenCleanerController } from "./controller.js";
import { isTrackedLongEnough, planToken } from "./plan.js";

const day = 86_400_000;
const now = Date.UTC(2026, 11, 31, 12);
const date = (daysAgo: number): string => formatTime(now - daysAgo * day).slice(0, 10);

describe("what becomes of a token", () => {
  const secret = (labels: Record<string, string> = {}, createdDaysAgo = 100): CachedSecret => ({
    type: tokenType,
    metadata: {
      name: "t",
      labels,
      annotations: { "kubernetes.io/service-account.name": "a", "kubernetes.io/service-account.uid": "u" },
      creationTimestamp: formatTime(now - createdDaysAgo * day),
    },
  });
  const used = (daysAgo: number) => ({ "kubernetes.io/legacy-token-last-used": date(daysAgo) });
  const invalid = (daysAgo: number) => ({ "kubernetes.io/legacy-token-invalid-since": date(daysAgo) });
  const rows: {
    name: string;
    secret: CachedSecret;
    uid?: string;
    listed?: string;
    isMounted?: boolean;
    hasAccount?: boolean;
    kind: string;
  }[] = [
    { name: "never used: invalid", secret: secret(), kind: "invalidate" },
    { name: "used long ago: invalid", secret: secret(used(31)), kind: "invalidate" },
    { name: "used since: kept", secret: secret(used(30)), kind: "keep" },
    {
      name: "used nobody knows when: kept",
      secret: secret({ "kubernetes.io/legacy-token-last-used": "x" }),
      kind: "keep",
    },
    { name: "made since: kept", secret: secret({}, 29), kind: "keep" },
    { name: "invalid for long enough: deleted", secret: secret(invalid(31)), kind: "delete" },
    { name: "invalid for a while: kept", secret: secret(invalid(30)), kind: "keep" },
    {
      name: "an invalid date is replaced",
      secret: secret({ "kubernetes.io/legacy-token-invalid-since": "x" }),
      kind: "invalidate",
    },
    {
      name: "being deleted: kept",
      secret: { ...secret(), metadata: { ...secret().metadata, deletionTimestamp: formatTime(now) } },
      kind: "keep",
    },
    {
      name: "of nobody: kept",
      secret: { ...secret(), metadata: { ...secret().metadata, annotations: {} } },
      hasAccount: false,
      kind: "keep",
    },
    {
      name: "used long ago and invalid for long enough: deleted",
      secret: secret({ ...used(70), ...invalid(31) }),
      kind: "delete",
    },
    {
      name: "used long ago and invalid for a while: kept",
      secret: secret({ ...used(70), ...invalid(3) }),
      kind: "keep",
    },
    { name: "used again since it became invalid: kept", secret: secret({ ...used(3), ...invalid(31) }), kind: "keep" },
    { name: "of another account: kept", secret: secret(), uid: "other", kind: "keep" },
    { name: "not in the account's list: kept", secret: secret(), listed: "other", kind: "keep" },
    { name: "mounted: kept", secret: secret(), isMounted: true, kind: "keep" },
    { name: "another type: kept", secret: { ...secret(), type: "Opaque" }, kind: "keep" },
  ];
  for (const { name, secret: of, uid = "u", listed = "t", isMounted = false, hasAccount = true, kind } of rows)
    it(name, () =>
      expect(
        planToken(of, {
          account: hasAccount ? { metadata: { name: "a", uid }, secrets: [{ name: listed }] } : undefined,
          isMounted: () => isMounted,
          nowMs: now,
          periodMs: 30 * day,
        }).kind,
      ).toBe(kind),
    );
  it("nothing while use has not been tracked for long enough", () => {
    const options = { nowMs: now, periodMs: 30 * day };
    expect([date(32), date(30), "x", undefined].map((since) => isTrackedLongEnough(since, options))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("the cleaner of unused tokens", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("marks unused generated tokens, and deletes those that were marked long ago", async () => {
    const hour = day / 24;
    cluster = await startTestCluster({
      controllers: [legacyServiceAccountTokenCleanerController],
      settings: { legacyTokenCleanUpPeriodMs: hour },
    });
    const { configmaps, secrets, serviceaccounts } = cluster.client.core.v1;
    const data = { since: "2025-12-01" };
    await configmaps("kube-system").patch("kube-apiserver-legacy-service-account-token-tracking", { merge: { data } });
    await serviceaccounts("default").create({ metadata: { name: "a" }, secrets: [{ name: "new" }, { name: "old" }] });
    const annotations = { "kubernetes.io/service-account.name": "a" };
    const create = (name: string, labels = {}) =>
      secrets("default").create({ metadata: { name, annotations, labels }, type: tokenType, data: { token: "dA==" } });
    await create("new");
    await create("old", { "kubernetes.io/legacy-token-invalid-since": "2025-12-15" });
    await create("own");
    const labels = async () =>
      Object.fromEntries(
        (await secrets("default").list()).items.map(({ metadata }) => [metadata?.name, metadata?.labels]),
      );
    await cluster.restart();
    await cluster.settle();
    expect(Object.keys(await labels())).toEqual(["new", "old", "own"]);
    await cluster.advance(hour + 60_000);
    await cluster.restart();
    await cluster.settle();
    expect(await labels()).toEqual({
      new: { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" },
      own: undefined,
    });
  });
});
