import { fieldErrorsText } from "@coxswain/apimachinery/field";
import { expect, it } from "vitest";
import { type EncryptionConfiguration, type ProviderConfiguration, validateEncryptionConfiguration } from "./index.js";

const secret = Buffer.alloc(32).toString("base64");
const good: ProviderConfiguration = { aescbc: { keys: [{ name: "a", secret }] } };
const with_ = (provider: object): EncryptionConfiguration => ({
  resources: [{ resources: ["secrets"], providers: [provider as ProviderConfiguration] }],
});
const of = (...resources: string[]): EncryptionConfiguration => ({ resources: [{ resources, providers: [good] }] });
const kms = { apiVersion: "v2", name: "p", endpoint: "unix:///a.sock" };

const cases: { name: string; config: EncryptionConfiguration; message: string | undefined }[] = [
  { name: "a good one", config: of("secrets", "configmaps", "*.apps"), message: undefined },
  { name: "a good key management service", config: with_({ kms: { ...kms, timeout: "5s" } }), message: undefined },
  { name: "nothing", config: {}, message: "resources: Required value: at least one resources is required" },
  {
    name: "no resources",
    config: { resources: [{ providers: [good] }] },
    message: "resources[0].resources: Required value: at least one resources[0].resources is required",
  },
  {
    name: "no providers",
    config: { resources: [{ resources: ["secrets"] }] },
    message: "resources[0].providers: Required value: at least one resources[0].providers is required",
  },
  { name: "a star", config: of("*"), message: "use '*.' to encrypt all the resources from core API group" },
  { name: "capitals", config: of("Secrets"), message: "resource name should not contain capital letters" },
  {
    name: "events of the wrong group",
    config: of("*.events.k8s.io"),
    message: "Use 'events' instead in the config file",
  },
  { name: "a group that is gone", config: of("*.extensions"), message: "'extensions' group has been removed" },
  {
    name: "a resource of all groups",
    config: of("secrets.*"),
    message: "encrypting the same resource across groups is not supported",
  },
  {
    name: "what has no API",
    config: of("serviceipallocations"),
    message: "resources which do not have REST API/s cannot be encrypted",
  },
  {
    name: "the same twice",
    config: of("secrets", "secrets"),
    message: "the same resource cannot be specified multiple times",
  },
  { name: "overlap with the group", config: of("secrets", "*."), message: "using overlapping resources" },
  { name: "overlap with everything", config: of("*.*", "secrets"), message: "using overlapping resources" },
  {
    name: "no provider in an element",
    config: with_({}),
    message: "provider does not contain any of the expected providers",
  },
  {
    name: "two providers in an element",
    config: with_({ identity: {}, ...good }),
    message: "more than one provider specified in a single element",
  },
  {
    name: "no keys",
    config: with_({ aesgcm: { keys: [] } }),
    message: "resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required",
  },
  {
    name: "a key without a name",
    config: with_({ aesgcm: { keys: [{ secret }] } }),
    message: "keys[0].name: Required value: name is a mandatory field for a key",
  },
  {
    name: "a key without a secret",
    config: with_({ aesgcm: { keys: [{ name: "a" }] } }),
    message: "keys[0].secret: Required value: secret is a mandatory field for a key",
  },
  {
    name: "a secret that is no base64",
    config: with_({ aesgcm: { keys: [{ name: "a", secret: "hunter2!" }] } }),
    message: 'keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
  },
  {
    name: "a secret of the wrong length",
    config: with_({ secretbox: { keys: [{ name: "a", secret: Buffer.alloc(16).toString("base64") }] } }),
    message: "secret is not of the expected length, got 16, expected one of [32]",
  },
  {
    name: "a service without a name",
    config: with_({ kms: { ...kms, name: "" } }),
    message: "name is a mandatory field for a provider",
  },
  {
    name: "a service with a colon",
    config: with_({ kms: { ...kms, name: "a:b" } }),
    message: "invalid KMS provider name a:b, must not contain ':'",
  },
  {
    name: "a service named twice",
    config: { resources: [{ resources: ["secrets"], providers: [{ kms }, { kms }] }] },
    message: "duplicate KMS provider name p, names must be unique",
  },
  {
    name: "a service over the network",
    config: with_({ kms: { ...kms, endpoint: "https://a" } }),
    message: 'unsupported scheme "https" for KMS provider, only unix is supported',
  },
  {
    name: "a service nowhere",
    config: with_({ kms: { ...kms, endpoint: "" } }),
    message: "endpoint is a mandatory field for a kms",
  },
  {
    name: "a service without time",
    config: with_({ kms: { ...kms, timeout: "-1s" } }),
    message: "timeout should be a positive value",
  },
  {
    name: "a cache size",
    config: with_({ kms: { ...kms, cachesize: 5 } }),
    message: "cachesize is not supported in v2",
  },
  {
    name: "a service of the third version",
    config: with_({ kms: { ...kms, apiVersion: "v3" } }),
    message: "only v1 and v2 are supported",
  },
];
for (const { name, config, message } of cases) {
  it(name, () => {
    const text = fieldErrorsText(validateEncryptionConfiguration(config));
    if (message === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(message);
  });
}

it("never shows a secret", () => {
  const text = fieldErrorsText(
    validateEncryptionConfiguration(
      with_({
        aesgcm: { keys: [{ name: "a", secret: "aHVudGVyMg==" }] },
        aescbc: { keys: [{ name: "b", secret: "aHVudGVyMg==" }] },
      }),
    ),
  );
  expect(text).not.toContain("aHVudGVyMg");
});
