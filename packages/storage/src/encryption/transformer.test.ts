import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { createEncryption, type EncryptionConfiguration, type ProviderConfiguration } from "./index.js";

const key = Buffer.from("0123456789abcdef0123456789abcdef");
const secret = key.toString("base64");
const context = Buffer.from("/registry/secrets/default/a");
const plain = '{"kind":"Secret"}';
const options = { runtime: systemRuntime() };
const secrets = { group: "", resource: "secrets" };
const keys = [
  { name: "key1", secret },
  { name: "key16", secret: key.subarray(0, 16).toString("base64") },
];
const transformerOf = async (...providers: ProviderConfiguration[]) =>
  (await createEncryption({ resources: [{ resources: ["secrets"], providers }] }, options)).transformerFor(secrets);

// Written by kube-apiserver's own library (k8s.io/apiserver v0.36.4, pkg/storage/value/encrypt) with these keys and this context.
const kept = {
  aesgcm: [
    "azhzOmVuYzphZXNnY206djE6a2V5MTqjzsVZl1UtSvPSL7bxAZheuQl/U0b87O3XGK80xfDqby944bWmieDix/bXlE4=",
    "azhzOmVuYzphZXNnY206djE6a2V5MTY6mxrVptu0OTdKSCtsfU1pFCTBE0d3Del8jn57KXz3QFDoPF3MrC2kvW5gFJQW",
  ],
  aescbc: [
    "azhzOmVuYzphZXNjYmM6djE6a2V5MTpfC5eyDA7K6qegicIkCG5U/75xCLtTO4oEPWO4YKq+Z4urhAEUBf7F69LaYp8fnrA=",
    "azhzOmVuYzphZXNjYmM6djE6a2V5MTY6+EzGHQ6igMeFHzZNjWu8xCAWqJsglxXz8xAPEme0jRJURFlgg7kQwLEEt+JGZNGz",
  ],
  secretbox: [
    "azhzOmVuYzpzZWNyZXRib3g6djE6a2V5MTrTei9SsdlL8WSGlpPQWk3TxwGCp7KQVOgFCDUV9LhbtZ7YnsD1yosC8Q9bsXTuhgr6h7kAjJHMKNk=",
  ],
} as const;

for (const [kind, values] of Object.entries(kept)) {
  describe(kind, async () => {
    const provider = { [kind]: { keys: kind === "secretbox" ? keys.slice(0, 1) : keys } };
    const transformer = await transformerOf(provider);

    for (const [index, value] of values.entries()) {
      it(`reads what kube-apiserver wrote with key ${index + 1}, stale unless it is the first`, async () => {
        const read = await transformer.read(Buffer.from(value, "base64"), context);
        expect([Buffer.from(read.value).toString(), read.stale]).toEqual([plain, index > 0]);
      });
    }

    for (const size of [0, 1, 15, 16, 17, 63, 64, 65, 1500, 100_000]) {
      it(`reads what it writes: ${size} bytes`, async () => {
        const value = Buffer.alloc(size, "abc");
        const written = await transformer.write(value, context);
        expect(Buffer.from(written).toString("latin1", 0, 30)).toMatch(new RegExp(`^k8s:enc:${kind}:v1:key1:`));
        expect(Buffer.from((await transformer.read(written, context)).value).equals(value)).toBe(true);
      });
    }

    it("never writes the same twice", async () =>
      expect(Buffer.from(await transformer.write(key, context))).not.toEqual(
        Buffer.from(await transformer.write(key, context)),
      ));

    const damaged = [
      { name: "a value cut short", change: (bytes: Buffer) => bytes.subarray(0, 30) },
      {
        name: "a changed byte",
        change: (bytes: Buffer) => (
          (bytes[bytes.length - 20]! ^= 1), bytes.subarray(0, kind === "aescbc" ? -1 : undefined)
        ),
      },
      {
        name: "an unknown key",
        change: (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("key1:", "key9:"), "latin1"),
      },
    ];
    for (const { name, change } of damaged) {
      it(`refuses ${name}`, async () => {
        await expect(
          (async () => transformer.read(change(Buffer.from(values[0]!, "base64")), context))(),
        ).rejects.toThrow(/./);
      });
    }
  });
}

it("aesgcm is bound to the key in the store", async () => {
  const transformer = await transformerOf({ aesgcm: { keys } });
  expect(() =>
    transformer.read(Buffer.from(kept.aesgcm[0], "base64"), Buffer.from("/registry/secrets/default/b")),
  ).toThrow("message authentication failed");
});

describe("several providers", () => {
  const encrypted = Buffer.from(kept.aescbc[0], "base64");
  const cases: {
    name: string;
    providers: ProviderConfiguration[];
    value: Buffer;
    read: { stale: boolean } | string;
  }[] = [
    {
      name: "plain values are read while encryption is rolled out",
      providers: [{ aescbc: { keys } }, { identity: {} }],
      value: Buffer.from(plain),
      read: { stale: true },
    },
    {
      name: "encrypted values are read while it is rolled back",
      providers: [{ identity: {} }, { aescbc: { keys } }],
      value: encrypted,
      read: { stale: true },
    },
    {
      name: "the same provider twice: the second key is tried too",
      providers: [
        { aescbc: { keys: [{ name: "key1", secret: Buffer.alloc(32, 9).toString("base64") }] } },
        { aescbc: { keys } },
      ],
      value: encrypted,
      read: { stale: true },
    },
    {
      name: "plain alone refuses encrypted values",
      providers: [{ identity: {} }],
      value: encrypted,
      read: "no matching prefix found",
    },
    {
      name: "encrypted alone refuses plain values",
      providers: [{ aescbc: { keys } }],
      value: Buffer.from(plain),
      read: "no matching prefix found",
    },
    {
      name: "protobuf is plain",
      providers: [{ identity: {} }],
      value: Buffer.from("k8s\0rest"),
      read: { stale: false },
    },
  ];
  for (const { name, providers, value, read } of cases) {
    it(name, async () => {
      const transformer = await transformerOf(...providers);
      if (typeof read === "string")
        await expect((async () => transformer.read(value, context))()).rejects.toThrow(read);
      else expect(await transformer.read(value, context)).toMatchObject(read);
    });
  }
});

describe("which resource is encrypted how", () => {
  const named = (name: string): ProviderConfiguration => ({ aesgcm: { keys: [{ name, secret }] } });
  const config: EncryptionConfiguration = {
    resources: [
      { resources: ["secrets"], providers: [named("secrets")] },
      { resources: ["deployments.apps"], providers: [{ identity: {} }] },
      { resources: ["*.apps", "*."], providers: [named("groups")] },
      { resources: ["*.*"], providers: [named("all")] },
    ],
  };
  const cases = [
    { resource: { group: "", resource: "secrets" }, by: "secrets" },
    { resource: { group: "", resource: "configmaps" }, by: "groups" },
    { resource: { group: "apps", resource: "deployments" }, by: "plain" },
    { resource: { group: "apps", resource: "replicasets" }, by: "groups" },
    { resource: { group: "example.com", resource: "things" }, by: "all" },
  ];
  for (const { resource, by } of cases) {
    it(`${resource.resource} of ${resource.group || "the core group"}: ${by}`, async () => {
      const written = Buffer.from(
        await (await createEncryption(config, options)).transformerFor(resource).write(Buffer.from("plain"), context),
      ).toString("latin1");
      expect(written.startsWith(by === "plain" ? "plain" : `k8s:enc:aesgcm:v1:${by}:`)).toBe(true);
    });
  }

  it("in plain text where no provider is configured", async () => {
    const transformer = (
      await createEncryption({ resources: [{ resources: ["secrets"], providers: [named("a")] }] }, options)
    ).transformerFor({ group: "", resource: "pods" });
    expect(Buffer.from(await transformer.write(Buffer.from("x"), context)).toString()).toBe("x");
  });

  it("refuses a rule that an earlier one hides", async () => {
    const hidden = {
      resources: [
        { resources: ["*.apps"], providers: [named("a")] },
        { resources: ["deployments.apps"], providers: [named("b")] },
      ],
    };
    await expect(createEncryption(hidden, options)).rejects.toThrow(
      'resource "deployments.apps" is masked by earlier rule "*.apps"',
    );
  });
});
