import { systemRuntime } from "@coxswain/runtime";
import { systemRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { bytes, text } from "../conformance/bytes.js";
import { follow } from "../conformance/follow.js";
import { createTestClock, describeKeyValueStore } from "../conformance/index.js";
import { rejectsWith, write } from "../conformance/writing.js";
import type { KeyEvent } from "../contract/key-value-store.js";
import { passOn } from "../contract/pass-on.js";
import { damagedValue } from "../contract/store-error.js";
import { createMemoryStore } from "../memory/index.js";
import { createAesGcm, encryptStore, firstOf, identityTransformer, type Transformer } from "./index.js";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const gcm = (...keys: number[]): Transformer =>
  firstOf(
    [
      ...keys.map((one) => ({
        prefix: `k8s:enc:aesgcm:v1:key${one}:`,
        transformer: createAesGcm(key(one), systemRandom),
      })),
      { prefix: "", transformer: identityTransformer },
    ],
    "no matching prefix found",
  );
/** As a transformer whose key is far away. */
const slow = (inner: Transformer): Transformer => ({
  read: async (kept, context) => {
    await new Promise((resolve) => setImmediate(resolve));
    return inner.read(kept, context);
  },
  write: async (value, context) => inner.write(value, context),
});

for (const [name, transformer] of Object.entries({ "at once": gcm(1), "with keys from afar": slow(gcm(1)) })) {
  describeKeyValueStore(`memory, encrypted ${name}`, {
    async open() {
      const clock = createTestClock();
      return {
        store: encryptStore(createMemoryStore({ runtime: systemRuntime({ clock }) }), () => transformer),
        advance: (ms) => clock.advance(ms),
      };
    },
    randomRuns: 2,
    randomSteps: 150,
  });
}

describe("an encrypted store", () => {
  it("passes on that a value is damaged, and opens all others", async () => {
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const store = encryptStore(
      {
        ...passOn(inner),
        async range(query) {
          const result = await inner.range(query);
          const records = result.records.map((record) =>
            record.key === "/b" ? { ...record, value: bytes(""), unreadable: damagedValue(record, "gone") } : record,
          );
          return { ...result, records };
        },
      },
      () => gcm(1),
    );
    for (const one of ["/a", "/b", "/c"]) await write(store, one, `of ${one}`);
    const { records } = await store.range({ prefix: "/" });
    expect(records.map(({ value, unreadable }) => unreadable?.step ?? text(value))).toEqual(["of /a", "read", "of /c"]);
    await store.close();
  });

  it("keeps nothing in plain sight but what is meant to be", async () => {
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const store = encryptStore(inner, (name) => (name.startsWith("/secrets/") ? gcm(1) : identityTransformer));
    await write(store, "/secrets/a", "hunter2");
    await write(store, "/pods/a", "plain");
    expect(text((await inner.get("/secrets/a"))?.value)).toMatch(/^k8s:enc:aesgcm:v1:key1:/);
    expect(text((await inner.get("/secrets/a"))?.value)).not.toContain("hunter2");
    expect(text((await inner.get("/pods/a"))?.value)).toBe("plain");
    expect(text((await store.get("/secrets/a"))?.value)).toBe("hunter2");
  });

  it("marks what an older key wrote as stale, everywhere it is shown", async () => {
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const before = encryptStore(inner, () => gcm(1));
    const revision = await write(before, "/a", "old");
    const store = encryptStore(inner, () => gcm(2, 1));
    expect(await store.get("/a")).toMatchObject({ stale: true });
    expect((await store.range({ prefix: "/" })).records[0]).toMatchObject({ stale: true });
    expect(await store.put({ key: "/a", value: bytes("x"), expected: 0 })).toMatchObject({
      kind: "conflict",
      current: { stale: true },
    });
    await write(store, "/a", "new", revision);
    expect(await store.get("/a")).not.toHaveProperty("stale");
    expect(text((await inner.get("/a"))?.value)).toMatch(/^k8s:enc:aesgcm:v1:key2:/);
    expect((await store.history("/a")).map((entry) => text(entry.value))).toEqual(["new", "old"]);
  });

  it("reports whether a record is stale now, whatever was returned before", async () => {
    let keys = gcm(1);
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const store = encryptStore(inner, (name) => (name.startsWith("/plain/") ? identityTransformer : keys));
    const revision = await write(store, "/a", "old");
    await write(store, "/plain/a", "open");
    expect(await store.isStale?.("/a")).toBe(false);
    keys = gcm(2, 1);
    expect(await store.isStale?.("/a")).toBe(true);
    expect(await store.isStale?.("/plain/a")).toBe(false);
    expect(await store.isStale?.("/nothing")).toBe(false);
    await write(store, "/a", "old", revision);
    expect(await store.isStale?.("/a")).toBe(false);
    expect(inner).not.toHaveProperty("isStale");
  });

  it("refuses a value that was moved to another key, and shows the others", async () => {
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const store = encryptStore(inner, () => gcm(1));
    await write(store, "/a", "mine");
    await inner.put({ key: "/b", value: (await inner.get("/a"))!.value, expected: 0 });
    await rejectsWith(store.get("/b"), "unreadable");
    const { records } = await store.range({ prefix: "/" });
    expect(records.map((record) => record.unreadable?.step)).toEqual([undefined, "transform"]);
    expect(text(records[0]?.value)).toBe("mine");
    expect((await store.range({ prefix: "/", keysOnly: true })).records.length).toBe(2);
  });

  const damage = [
    {
      name: "a key that is not configured",
      value: "k8s:enc:aesgcm:v1:key9:xxxxx",
      message: 'no matching prefix found (the value was written by provider aesgcm with key "key9")',
    },
    {
      name: "a provider that is not configured",
      value: "k8s:enc:secretbox:v1:box:xxxxx",
      message: 'no matching prefix found (the value was written by provider secretbox with key "box")',
    },
    {
      name: "a plugin that is not configured",
      value: "k8s:enc:kms:v2:vault:xxxxx",
      message: 'no matching prefix found (the value was written by KMS v2 plugin "vault")',
    },
    {
      name: "nothing behind its prefix",
      value: "k8s:enc:aesgcm:v1:key1:",
      message:
        'the stored data was shorter than the required size (the value was written by provider aesgcm with key "key1")',
    },
  ];
  for (const [speed, transformer] of [
    ["at once", gcm(1)],
    ["with keys from afar", slow(gcm(1))],
  ] as const)
    for (const { name, value, message } of damage)
      it(`a watch goes on behind a value of ${name}, ${speed}`, async () => {
        const inner = createMemoryStore({ runtime: systemRuntime() });
        const store = encryptStore(inner, () => transformer);
        const events: KeyEvent[] = [];
        const watch = follow(store, { prefix: "/", from: await inner.readRevision() }, (batch) =>
          events.push(...batch),
        );
        await write(store, "/a", "good");
        const written = await inner.put({ key: "/b", value: bytes(value), expected: 0 });
        const revision = written.kind === "written" ? written.revision : 0;
        await write(store, "/c", "good too");
        expect(events.map((event) => event.record?.unreadable)).toEqual([
          undefined,
          { step: "transform", message },
          undefined,
        ]);
        await expect(store.get("/b")).rejects.toThrow(`unable to transform key "/b": ${message}`);
        expect(await store.put({ key: "/b", value: bytes("x"), expected: 0 })).toMatchObject({
          kind: "conflict",
          current: { unreadable: { message } },
        });
        expect(await store.delete({ key: "/b", expected: revision })).toMatchObject({ kind: "deleted" });
        expect(events.at(-1)).toMatchObject({ type: "delete", key: "/b" });
        await watch.stop();
      });

  it("keeps nobody waiting for a value whose key does not come, but those who write what is watched there", async () => {
    let release = (): void => {};
    const asked = new Promise<void>((resolve) => (release = resolve));
    const hanging: Transformer = { ...gcm(1), read: (kept, context) => asked.then(() => gcm(1).read(kept, context)) };
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const store = encryptStore(inner, (name) => (name.startsWith("/secrets/") ? hanging : identityTransformer));
    const secrets = follow(store, { prefix: "/secrets/", from: 1 });
    await write(store, "/pods/before", "1");
    const secret = write(store, "/secrets/a", "1");
    let isAnswered = false;
    void secret.then(() => (isAnswered = true));
    await write(store, "/pods/a", "1");
    await store.transaction([{ op: "put", key: "/pods/b", value: bytes("1"), expected: 0 }]);
    expect([isAnswered, secrets.seen]).toEqual([false, []]);
    release();
    const revision = await secret;
    expect(secrets.seen).toEqual([`put /secrets/a = 1 @${revision}`]);
    await secrets.stop();
    await store.close();
  });

  it("writes nothing that it cannot encrypt", async () => {
    const inner = createMemoryStore({ runtime: systemRuntime() });
    const broken: Transformer = {
      ...identityTransformer,
      write: () => {
        throw new Error("no key");
      },
    };
    await rejectsWith(
      encryptStore(inner, () => broken).put({ key: "/a", value: bytes("x"), expected: 0 }),
      "unavailable",
    );
    expect(await inner.get("/a")).toBeUndefined();
  });
});
