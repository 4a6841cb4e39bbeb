import { readFileSync } from "node:fs";
import { builtInTypes } from "@coxswain/api/tables";
import { DecodeError, decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import { decodeProtobufObject, encodeProtobufObject, readEnvelope } from "@coxswain/apimachinery/protobuf";
import { describe, expect, it } from "vitest";

/**
 * Objects of our own making, and what upstream's strict JSON serializer and its protobuf serializer (k8s.io/apimachinery v0.36.4,
 * with the schemes of k8s.io/api) made of each: an error, or strict errors and an output, the protobuf bytes of that, and the JSON after reading those.
 */
interface Recorded {
  type: keyof typeof types;
  text?: string;
  /** Base64, where the input is no UTF-8. */
  bytes?: string;
  error?: string;
  strict?: string[];
  output?: string;
  protobuf?: string;
  again?: string;
}
const recorded = JSON.parse(
  readFileSync(new URL("testdata/codec-answers.json", import.meta.url), "utf8"),
) as Recorded[];
const types = {
  Pod: "io.k8s.api.core.v1.Pod",
  ConfigMap: "io.k8s.api.core.v1.ConfigMap",
  Secret: "io.k8s.api.core.v1.Secret",
  Service: "io.k8s.api.core.v1.Service",
  Event: "io.k8s.api.core.v1.Event",
  ResourceQuota: "io.k8s.api.core.v1.ResourceQuota",
  Deployment: "io.k8s.api.apps.v1.Deployment",
  Lease: "io.k8s.api.coordination.v1.Lease",
  SubjectAccessReview: "io.k8s.api.authorization.v1.SubjectAccessReview",
  CustomResourceDefinition: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
};
const inputOf = (row: Recorded): Uint8Array =>
  row.text === undefined ? Buffer.from(row.bytes ?? "", "base64") : Buffer.from(row.text);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** JavaScript lists members that look like numbers first, which no reader of JSON can notice. */
const unordered = (json: string): unknown => (json.includes('"10":') ? JSON.parse(json) : json);

function errorOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (err) {
    if (err instanceof DecodeError) return err.message;
    throw err;
  }
}

/** An error of upstream after decoding, when it asks for the group, is not the codec's. */
const isRouting = (error: string | undefined): boolean => error?.startsWith("unexpected GroupVersion") ?? false;

describe("the codecs answer as upstream's", () => {
  for (const row of recorded) {
    if (isRouting(row.error)) continue;
    const node = builtInTypes.get(types[row.type]);
    it(`${row.type} ${(row.text ?? row.bytes ?? "").slice(0, 120)}`, () => {
      if (row.error !== undefined) {
        expect(errorOf(() => decodeJson(inputOf(row), node, { strict: true }))).toBe(row.error);
        return;
      }
      const { object, warnings } = decodeJson(inputOf(row), node, { strict: true });
      expect(warnings).toEqual(row.strict ?? []);
      expect(unordered(text(encodeJson(object, node)))).toEqual(unordered(row.output ?? ""));
      const protobuf = Buffer.from(row.protobuf ?? "", "base64");
      const { kind, apiVersion } = readEnvelope(protobuf);
      expect(
        Buffer.from(encodeProtobufObject({ ...(object as object), kind, apiVersion }, node)).toString("base64"),
      ).toBe(row.protobuf);
      expect(unordered(text(encodeJson(decodeProtobufObject(protobuf, node))))).toEqual(unordered(row.again ?? ""));
    });
  }
});
