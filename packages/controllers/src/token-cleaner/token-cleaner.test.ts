import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { tokenCleanerController } from "./controller.js";
import { tokenType, validForMs } from "./plan.js";

const now = Date.UTC(2026, 0, 1);
const expiring = (expiration: string) => ({ data: { expiration: btoa(expiration) } });

describe("how long a bootstrap token is still valid", () => {
  it("for ever without an expiration", () => expect(validForMs({}, now)).toBeUndefined());
  it("until its expiration", () => expect(validForMs(expiring("2026-01-01T00:01:00Z"), now)).toBe(60_000));
  it("not any more after it", () => expect(validForMs(expiring("2025-12-31T00:00:00Z"), now)).toBe(0));
  it("not at all when the time cannot be read", () => expect(validForMs(expiring("soon"), now)).toBe(0));
});

describe("the token cleaner", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("deletes tokens when they expire, other secrets never, also across a restart", async () => {
    // Off by default upstream: here it is asked for.
    cluster = await startTestCluster({ controllers: [{ ...tokenCleanerController, isOnByDefault: true }] });
    const secrets = cluster.client.core.v1.secrets("kube-system");
    const create = (name: string, type: string, inMs: number) =>
      secrets.create({
        metadata: { name },
        type,
        stringData: { "token-id": name, expiration: formatTime(cluster.clock.now() + inMs) },
      });
    await create("first", tokenType, 60_000);
    await create("second", tokenType, 600_000);
    await create("other", "Opaque", 60_000);
    const names = async () => (await secrets.list()).items.map(({ metadata }) => metadata?.name);
    await cluster.advance(61_000);
    expect(await names()).toEqual(["other", "second"]);
    await cluster.restart();
    await cluster.advance(600_000);
    expect(await names()).toEqual(["other"]);
  });
});
