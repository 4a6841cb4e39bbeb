import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { createGrpcServer, GrpcError, type GrpcServer, serveUnary } from "@coxswain/wire/grpc";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../conformance/index.js";
import { createEncryption } from "../index.js";
import { writeEncryptedObject } from "./encrypted-object.js";
import { startKmsProvider } from "./kms-provider.js";
import { type EncryptedObject, kms } from "./rpc.js";

const context = Buffer.from("/registry/secrets/default/a");
const encodeForTest = (change: Partial<EncryptedObject>): Buffer =>
  writeEncryptedObject({
    encryptedData: Buffer.of(1),
    keyId: "kek",
    encryptedDekSource: Buffer.of(1),
    annotations: new Map(),
    sourceType: 1,
    ...change,
  });

describe("a key management provider", () => {
  let folder: string;
  let server: GrpcServer;
  let endpoint: string;
  const plugin = {
    keyId: "kek-1",
    encryptKeyId: undefined as string | undefined,
    healthz: "ok",
    version: "v2",
    calls: [] as string[],
    fails: false,
    hangs: false,
  };
  /** A call that is taken and never answered. */
  const hang = (): Promise<void> => (plugin.hangs ? new Promise(() => {}) : Promise.resolve());
  const kek = randomBytes(32);
  const wrap = (plaintext: Uint8Array): Buffer => {
    const iv = randomBytes(16);
    const cipher = createCipheriv("aes-256-cbc", kek, iv);
    return Buffer.concat([iv, cipher.update(plaintext), cipher.final()]);
  };
  const unwrap = (ciphertext: Uint8Array): Buffer => {
    if (Buffer.from(ciphertext).toString() === "wrapped") return Buffer.from("0123456789abcdef0123456789abcdef");
    const decipher = createDecipheriv("aes-256-cbc", kek, ciphertext.subarray(0, 16));
    return Buffer.concat([decipher.update(ciphertext.subarray(16)), decipher.final()]);
  };
  const start = async (): Promise<void> => {
    server = await createGrpcServer({
      listen: { path: endpoint.slice("unix://".length) },
      methods: [
        serveUnary(kms.status, async () => {
          plugin.calls.push("status");
          await hang();
          if (plugin.fails) throw new GrpcError("INTERNAL", "down");
          return { version: plugin.version, healthz: plugin.healthz, keyId: plugin.keyId };
        }),
        serveUnary(kms.encrypt, async ({ plaintext, uid }) => {
          plugin.calls.push("encrypt");
          await hang();
          expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
          return {
            ciphertext: wrap(plaintext),
            keyId: plugin.encryptKeyId ?? plugin.keyId,
            annotations: new Map([["version.example.com", Buffer.from("1")]]),
          };
        }),
        serveUnary(kms.decrypt, async ({ ciphertext, keyId }) => {
          plugin.calls.push(`decrypt ${keyId}`);
          await hang();
          return { plaintext: unwrap(ciphertext) };
        }),
      ],
    });
  };
  beforeEach(async () => {
    Object.assign(plugin, {
      keyId: "kek-1",
      encryptKeyId: undefined,
      healthz: "ok",
      version: "v2",
      calls: [],
      fails: false,
      hangs: false,
    });
    folder = mkdtempSync(join(tmpdir(), "kms-"));
    endpoint = `unix://${join(folder, "s")}`;
    await start();
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const open = (clock = systemClock) =>
    startKmsProvider({ name: "prov", endpoint, runtime: systemRuntime({ clock }), timeoutMs: 20_000 });

  it("encrypts with a seed that the plugin wrapped once", async () => {
    const provider = await open();
    const written = [];
    for (let count = 0; count < 5; count += 1) written.push(await provider.write(Buffer.from(`v${count}`), context));
    for (const [index, kept] of written.entries())
      expect(provider.read(kept, context)).toMatchObject({ value: Buffer.from(`v${index}`), stale: false });
    expect(plugin.calls).toEqual(["status", "encrypt"]);
    await provider.close();
  });

  it("reads what another server wrote: asks the plugin once per seed", async () => {
    const [one, other] = [await open(), await open()];
    const kept = await one.write(Buffer.from("x"), context);
    const again = await one.write(Buffer.from("y"), context);
    plugin.calls.length = 0;
    const reads = await Promise.all([other.read(kept, context), other.read(again, context)]);
    expect(reads.map(({ value }) => Buffer.from(value).toString())).toEqual(["x", "y"]);
    expect(plugin.calls).toEqual(["decrypt kek-1"]);
    expect(other.read(kept, context)).not.toBeInstanceOf(Promise);
    await Promise.all([one.close(), other.close()]);
  });

  it("reads what kube-apiserver wrote, with a seed and with a plain key", async () => {
    const encryption = await createEncryption(
      { resources: [{ resources: ["secrets"], providers: [{ kms: { apiVersion: "v2", name: "prov", endpoint } }] }] },
      { runtime: systemRuntime() },
    );
    const transformer = encryption.transformerFor({ group: "", resource: "secrets" });
    // Written by k8s.io/apiserver v0.36.4 with the key 0123456789abcdef0123456789abcdef, which the plugin unwraps from "wrapped".
    const seeded =
      "azhzOmVuYzprbXM6djI6cHJvdjoKTfuGfMxRXpnUs6feSKt207LbiTNYiIdDYtHgzVCAuKPclJcuOkHeobOv7w86jEboVLHlVud2dUkfeM7uufDj5PDKKq3qYPQMNrc/r0a5EgVrZWstMRoHd3JhcHBlZCISCg1hLmV4YW1wbGUuY29tEgF4KAE=";
    const keyed =
      "azhzOmVuYzprbXM6djI6cHJvdjoKLfHFitcf8W1xuehbvzc5Tk75CHW9m2N8brHKNZvYdwfE+/debTI4t5taluNmUBIFa2VrLTAaB3dyYXBwZWQ=";
    const read = async (value: string) => {
      const { value: plain, stale } = await transformer.read(Buffer.from(value, "base64"), context);
      return [Buffer.from(plain).toString(), stale];
    };
    expect(await read(seeded)).toEqual(['{"kind":"Secret"}', false]);
    expect(await read(keyed)).toEqual(['{"kind":"Secret"}', true]);
    await encryption.check();
    await encryption.close();
  });

  it("reports which of several is unhealthy", async () => {
    const provider = (name: string, socket: string) => ({
      kms: { apiVersion: "v2", name, endpoint: socket, timeout: "200ms" },
    });
    const encryption = await createEncryption(
      {
        resources: [
          { resources: ["secrets"], providers: [provider("here", endpoint), provider("gone", `${endpoint}-gone`)] },
        ],
      },
      { runtime: systemRuntime() },
    );
    expect(encryption.usesPlugins).toBe(true);
    expect(await encryption.problem()).toMatch(/^kms-provider-1: /);
    await encryption.close();
    const plain = await createEncryption(
      { resources: [{ resources: ["secrets"], providers: [{ identity: {} }] }] },
      { runtime: systemRuntime() },
    );
    expect(plain.usesPlugins).toBe(false);
    expect(await plain.problem()).toBeUndefined();
  });

  it("takes a new seed when the plugin's key changes, and finds the old values stale", async () => {
    const clock = createTestClock();
    const provider = await open({
      ...clock,
      setTimer: (ms, fire) => (ms >= 10_000 ? clock.setTimer(ms, fire) : systemClock.setTimer(ms, fire)),
    });
    const old = await provider.write(Buffer.from("x"), context);
    plugin.keyId = "kek-2";
    await clock.advance(60_000);
    await expect.poll(() => plugin.calls.filter((call) => call === "encrypt").length).toBe(2);
    await provider.check();
    expect(await provider.read(old, context)).toMatchObject({ stale: true });
    expect(await provider.read(await provider.write(Buffer.from("y"), context), context)).toMatchObject({
      stale: false,
    });
    await provider.close();
  });

  it("writes on for three minutes when the plugin fails, and reads for ever", async () => {
    const clock = createTestClock();
    const provider = await open({
      ...clock,
      setTimer: (ms, fire) => (ms >= 10_000 ? clock.setTimer(ms, fire) : systemClock.setTimer(ms, fire)),
    });
    const kept = await provider.write(Buffer.from("x"), context);
    plugin.fails = true;
    await clock.advance(179_000);
    await provider.write(Buffer.from("y"), context);
    await clock.advance(2_000);
    expect(() => provider.write(Buffer.from("z"), context)).toThrow(
      /has not confirmed the key sha256:[0-9a-f]{64} for 3 minutes/,
    );
    expect(provider.read(kept, context)).toMatchObject({ value: Buffer.from("x") });
    plugin.fails = false;
    await provider.check();
    await provider.write(Buffer.from("z"), context);
    await provider.close();
  });

  it("is not there yet: fails, and works once it is", async () => {
    await server.close();
    const warnings: string[] = [];
    const provider = await startKmsProvider({
      name: "prov",
      endpoint,
      runtime: systemRuntime({ log: { ...silentLogger, warn: (message) => void warnings.push(message) } }),
      timeoutMs: 100,
    });
    expect(() => provider.write(Buffer.from("x"), context)).toThrow("has not answered yet");
    expect(warnings).toEqual(["A key management plugin is not well"]);
    await start();
    await expect
      .poll(
        () =>
          provider.check().then(
            () => "well",
            () => "ill",
          ),
        { timeout: 5000 },
      )
      .toBe("well");
    await provider.write(Buffer.from("x"), context);
    await provider.close();
  });

  /** Calls may take twenty seconds, which pass when the test advances the clock. */
  const openPatient = (): {
    clock: ReturnType<typeof createTestClock>;
    provider: ReturnType<typeof startKmsProvider>;
  } => {
    const clock = createTestClock();
    const setTimer: typeof clock.setTimer = (ms, fire) => (ms >= 10_000 ? clock : systemClock).setTimer(ms, fire);
    const runtime = systemRuntime({ clock: { ...clock, setTimer } });
    return { clock, provider: startKmsProvider({ name: "prov", endpoint, runtime, timeoutMs: 20_000 }) };
  };
  const isAsked = async (call: string): Promise<void> => {
    await expect.poll(() => plugin.calls.at(-1), { timeout: 10_000 }).toBe(call);
  };

  it("that hangs from the start keeps nobody waiting longer than a call may take", async () => {
    plugin.hangs = true;
    const { clock, provider } = openPatient();
    await isAsked("status");
    await clock.advance(20_000);
    const hanging = await provider;
    expect(() => hanging.write(Buffer.from("x"), context)).toThrow("has not answered yet");
    await hanging.close();
  });

  it("that hangs while it runs: known keys are used on, a thousand values of an unknown one fail with one question", async () => {
    const { clock, provider } = openPatient();
    const [one, other] = [await provider, await openPatient().provider];
    const mine = await one.write(Buffer.from("mine"), context);
    const kept = await Promise.all(Array.from({ length: 1000 }, (_, i) => other.write(Buffer.from(`${i}`), context)));
    plugin.hangs = true;
    plugin.calls.length = 0;
    const reads = Promise.allSettled(kept.map(async (each) => one.read(each, context)));
    await isAsked("decrypt kek-1");
    await clock.advance(20_000);
    const reasons = new Set((await reads).map((read) => (read.status === "rejected" ? String(read.reason) : "read")));
    expect([...reasons]).toEqual([expect.stringMatching(/failed to decrypt DEK.*was not answered/)]);
    expect(plugin.calls).toEqual(["decrypt kek-1"]);
    expect(one.read(mine, context)).toMatchObject({ value: Buffer.from("mine") });
    expect(one.read(await one.write(Buffer.from("still"), context), context)).toMatchObject({ stale: false });
    await Promise.all([one.close(), other.close()]);
  });

  const ills: { name: string; change: Partial<typeof plugin>; error: RegExp }[] = [
    { name: "reports itself unhealthy", change: { healthz: "on fire" }, error: /unexpected healthz status: on fire/ },
    { name: "speaks another version", change: { version: "v1" }, error: /expected KMSv2 API version v2, got v1/ },
    { name: "names no key", change: { keyId: "" }, error: /keyID is empty/ },
    {
      name: "names a key that is too long",
      change: { keyId: "x".repeat(1025) },
      error: /keyID is 1025 bytes, which exceeds the max size of 1024/,
    },
    {
      name: "encrypts with another key than it names",
      change: { keyId: "kek-3", encryptKeyId: "kek-4" },
      error: /it names the key sha256:\w+ but encrypts with sha256:/,
    },
  ];
  for (const { name, change, error } of ills) {
    it(`is not well when the plugin ${name}`, async () => {
      const provider = await open();
      Object.assign(plugin, change);
      await expect(provider.check()).rejects.toThrow(error);
      await provider.write(Buffer.from("still with the old key"), context);
      await provider.close();
    });
  }

  const broken = [
    { name: "rubbish", kept: Buffer.from("rubbish!") },
    { name: "no data", kept: encodeForTest({ encryptedData: Buffer.alloc(0) }) },
    { name: "an unknown kind of key", kept: encodeForTest({ sourceType: 7 }) },
    { name: "no wrapped key", kept: encodeForTest({ encryptedDekSource: Buffer.alloc(0) }) },
    {
      name: "an annotation without a domain",
      kept: encodeForTest({ annotations: new Map([["plain", Buffer.alloc(1)]]) }),
    },
  ];
  for (const { name, kept } of broken) {
    it(`refuses to read ${name}`, async () => {
      const provider = await open();
      expect(() => provider.read(kept, context)).toThrow(/./);
      await provider.close();
    });
  }
});
