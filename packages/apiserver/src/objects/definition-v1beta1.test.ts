import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { definitionV1beta1 } from "./definition-v1beta1.js";

const specOf = (spec: object): unknown =>
  (
    definitionV1beta1.toHub({
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1beta1",
      metadata: { name: "a" },
      spec,
    } as KubernetesObject) as { spec?: unknown }
  ).spec;
const v1 = { name: "v1", served: true, storage: true };
const v2 = { name: "v2", served: true, storage: false };
const schema = { openAPIV3Schema: { type: "object" } };
const kept = { group: "example.com", preserveUnknownFields: false };
const none = { conversion: { strategy: "None" } };

const cases = [
  {
    name: "one version by its name alone",
    old: { ...kept, version: "v1" },
    now: { group: "example.com", versions: [v1], ...none },
  },
  {
    name: "the first version's name is no version of its own",
    old: { ...kept, version: "v1", versions: [v1, v2] },
    now: { group: "example.com", versions: [v1, v2], ...none },
  },
  {
    name: "what holds for all versions is in each",
    old: {
      ...kept,
      versions: [v1, v2],
      validation: schema,
      subresources: { status: {} },
      selectableFields: [{ jsonPath: ".a" }],
    },
    now: {
      group: "example.com",
      versions: [v1, v2].map((version) => ({
        ...version,
        schema,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: ".a" }],
      })),
      ...none,
    },
  },
  {
    name: "what a version has for itself stays",
    old: { ...kept, versions: [{ ...v1, schema }, v2] },
    now: { group: "example.com", versions: [{ ...v1, schema }, v2], ...none },
  },
  {
    name: "columns have another spelling",
    old: { ...kept, versions: [{ ...v1, additionalPrinterColumns: [{ name: "A", type: "string", JSONPath: ".a" }] }] },
    now: {
      group: "example.com",
      versions: [{ ...v1, additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".a" }] }],
      ...none,
    },
  },
  {
    name: "columns for all versions",
    old: { ...kept, versions: [v1], additionalPrinterColumns: [{ name: "A", type: "string", JSONPath: ".a" }] },
    now: {
      group: "example.com",
      versions: [{ ...v1, additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".a" }] }],
      ...none,
    },
  },
  {
    name: "a webhook that converts",
    old: { ...kept, versions: [v1], conversion: { strategy: "Webhook", webhookClientConfig: { url: "https://h" } } },
    now: {
      group: "example.com",
      versions: [v1],
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https://h" }, conversionReviewVersions: ["v1beta1"] },
      },
    },
  },
  {
    name: "unknown fields were kept unless the definition set otherwise",
    old: { group: "example.com", versions: [v1] },
    now: { group: "example.com", versions: [v1], ...none, preserveUnknownFields: true },
  },
];

describe("a CustomResourceDefinition of v1beta1 in v1", () => {
  for (const { name, old, now } of cases) it(name, () => expect(specOf(old)).toEqual(now));
});
