import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createGrpcClient, method } from "@coxswain/wire/grpc";
import { message } from "@coxswain/wire/protobuf";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { expect, it } from "vitest";
import { follow } from "../conformance/follow.js";
import { rejectsWith, write } from "../conformance/writing.js";
import { startEtcdCluster } from "./testing/etcd-process.test.support.js";
import { describeOverEtcd } from "./testing/find-etcd.test.support.js";
import { openForTests } from "./testing/open-for-tests.test.support.js";

const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000, random: systemRandom };

describeOverEtcd("access to etcd", ({ command, version }) => {
  it("is reached over TLS with a client certificate, and not without one", { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "etcd-tls-"));
    const ca = createAuthority({ subject: { commonName: "ca" }, ...validity });
    const server = createServerIdentity(ca, { subject: { commonName: "etcd" }, hosts: ["127.0.0.1"], ...validity });
    const client = createClientIdentity(ca, { subject: { commonName: "apiserver" }, ...validity });
    const file = (name: string, content: string): string => (
      writeFileSync(join(folder, name), content), join(folder, name)
    );
    const cluster = await startEtcdCluster(command, {
      tls: {
        ca: file("ca", ca.pem),
        certificate: file("crt", server.pem),
        key: file("key", encodePrivateKey(server.privateKey)),
      },
    });
    const store = await openForTests(cluster.endpoints, {
      tls: { ca: ca.pem, certificate: client.pem, key: encodePrivateKey(client.privateKey) },
    });
    await write(store, "/a", "1");
    await store.close();
    await rejectsWith(openForTests(cluster.endpoints, { tls: { ca: ca.pem }, requestTimeoutMs: 500 }), "unavailable");
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it("is used by a user who may see only the store's prefix", { timeout: 60_000 }, async () => {
    const cluster = await startEtcdCluster(command, { args: ["--auth-token-ttl=3"] });
    await enableAuth(cluster.endpoints[0]!);
    const user = { name: "kube", password: "secret" };
    await rejectsWith(
      openForTests(cluster.endpoints, { user: { ...user, password: "wrong" }, requestTimeoutMs: 1000 }),
      "unavailable",
    );
    const store = await openForTests(cluster.endpoints, { user, prefix: "/registry/" });
    const a = await write(store, "/registry/a", "1");
    await rejectsWith(store.put({ key: "/elsewhere", value: new Uint8Array(1), expected: 0 }), "unavailable");
    if (version.startsWith("3.4"))
      await rejectsWith(
        store.watch({ prefix: "/registry/", from: a }, () => undefined, new AbortController().signal),
        "unavailable",
      );
    else {
      const watch = follow(store, { prefix: "/registry/", from: a });
      await watch.reach(a);
      const b = await write(store, "/registry/b", "1");
      expect(watch.seen).toEqual([`put /registry/b = 1 @${b}`]);
      await watch.stop();
    }
    // A token lives for three seconds here; a new one is fetched without anybody noticing.
    await new Promise((resolve) => setTimeout(resolve, 4500));
    expect((await store.get("/registry/a"))?.revision).toBe(a);
    await store.close();
    await cluster.stop();
  });

  it.skipIf(!version.startsWith("3.6"))(
    "watches only its prefix where progress can be trusted, and still knows how far it is",
    { timeout: 30_000 },
    async () => {
      const cluster = await startEtcdCluster(command);
      const store = await openForTests(cluster.endpoints, { prefix: "/registry/" });
      const other = await openForTests(cluster.endpoints);
      const from = await write(store, "/registry/a", "1");
      const watch = follow(store, { prefix: "/registry/", from });
      await watch.reach(from);
      await write(other, "/elsewhere", "1");
      const b = await write(store, "/registry/b", "1");
      expect(watch.progress()).toBeGreaterThanOrEqual(b);
      const late = await write(other, "/elsewhere/2", "1");
      const early = follow(store, { prefix: "/registry/", from: from - 1 });
      await early.reach(b);
      expect(early.seen).toEqual([`put /registry/a = 1 @${from}`, `put /registry/b = 1 @${b}`]);
      expect((await store.status()).keys).toBe(2);
      expect(await store.readRevision()).toBeGreaterThanOrEqual(late);
      await Promise.all([store.close(), other.close()]);
      await cluster.stop();
    },
  );
});

it("reports which endpoint does not answer", async () => {
  await expect(openForTests(["http://127.0.0.1:1"], { requestTimeoutMs: 200 })).rejects.toThrow(
    /cannot connect to http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/,
  );
});

/** A root user, and one with the right to `/registry/` alone. */
async function enableAuth(endpoint: string): Promise<void> {
  const grpc = createGrpcClient({ endpoints: [endpoint], clock: systemClock, random: systemRandom });
  const nothing = message({});
  const call = (name: string, fields: Record<string, string | Uint8Array | object>): Promise<unknown> => {
    const table = message(
      Object.fromEntries(
        Object.entries(fields).map(([key, value], index) => [
          key,
          { number: index + 1, type: typeof value === "string" ? "string" : permission },
        ]),
      ) as never,
    );
    return grpc.unary(method(`/etcdserverpb.Auth/${name}`, table, nothing), fields as never);
  };
  await call("UserAdd", { name: "root", password: "root" });
  await call("RoleAdd", { name: "root" });
  await call("UserGrantRole", { user: "root", role: "root" });
  await call("UserAdd", { name: "kube", password: "secret" });
  await call("RoleAdd", { name: "kube" });
  await call("RoleGrantPermission", {
    name: "kube",
    perm: { type: 2, key: Buffer.from("/registry/"), rangeEnd: Buffer.from("/registry0") },
  });
  await call("UserGrantRole", { user: "kube", role: "kube" });
  await call("AuthEnable", {});
  await grpc.close();
}
const permission = message({
  type: { number: 1, type: "enum" },
  key: { number: 2, type: "bytes" },
  rangeEnd: { number: 3, type: "bytes" },
});
