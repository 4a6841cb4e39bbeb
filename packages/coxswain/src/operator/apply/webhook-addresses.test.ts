import { describe, expect, it } from "vitest";
import type { Manifest } from "./read-manifests.js";
import { haveOtherAddresses, withAddress } from "./webhook-addresses.js";

const service = { name: "hooks", namespace: "system", path: "/mutate" };
const configuration = (clientConfig: object): Manifest =>
  ({
    apiVersion: "a/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: {},
    webhooks: [{ clientConfig }],
  }) as Manifest;
const definition = (clientConfig: object): Manifest =>
  ({
    apiVersion: "a/v1",
    kind: "CustomResourceDefinition",
    metadata: {},
    spec: { conversion: { strategy: "Webhook", webhook: { clientConfig } } },
  }) as Manifest;
const plain = { apiVersion: "v1", kind: "Service", metadata: {} };

describe("addresses of webhooks", () => {
  const local = { url: "https://127.0.0.1:1/mutate", caBundle: "Q0E=" };
  const moved: [name: string, object: Manifest, expected: Manifest][] = [
    ["a webhook configuration", configuration({ service }), configuration(local)],
    ["a conversion", definition({ service }), definition(local)],
    [
      "a webhook at a URL of its own stays there",
      configuration({ url: "https://a" }),
      configuration({ url: "https://a" }),
    ],
    ["an object without webhooks stays as it is", plain, plain],
  ];
  for (const [name, object, expected] of moved)
    it(`to this machine: ${name}`, () => expect(withAddress(object, "https://127.0.0.1:1", "Q0E=")).toEqual(expected));

  const compared: [name: string, one: Manifest, other: Manifest, expected: boolean][] = [
    ["a Service and a URL differ", configuration({ service }), configuration(local), true],
    ["two Services do not", definition({ service }), definition({ service: { ...service, name: "others" } }), false],
    ["without webhooks before, nothing is in the way", plain, definition(local), false],
  ];
  for (const [name, one, other, expected] of compared)
    it(name, () =>
      expect([haveOtherAddresses(one, other), haveOtherAddresses(other, one)]).toEqual([expected, expected]),
    );
});
