import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FieldError, fieldErrorText, fieldPath } from "../field/index.js";
import * as validation from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary. A missing list is an empty one.
const table = (name: string): (Record<string, string[] | null> & { value: string })[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as (Record<
    string,
    string[] | null
  > & { value: string })[];
const path = fieldPath("f");
const texts = (errors: readonly FieldError[]): string[] =>
  errors.map((error) => fieldErrorText(error) + (error.origin === undefined ? "" : ` @${error.origin}`));
const filled = (answers: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(answers).filter(([, list]) => list.length > 0));

describe("addresses and networks", () => {
  for (const { value, ...answers } of table("addresses")) {
    it(JSON.stringify(value), () => {
      const ours = filled({
        ip: texts(validation.validateIp(value, path)),
        legacyIp: texts(validation.validateIpForLegacyField(value, path)),
        sloppyIp: texts(validation.validateIpForLegacyField(value, path, { strict: false })),
        cidr: texts(validation.validateCidr(value, path)),
        legacyCidr: texts(validation.validateCidrForLegacyField(value, path)),
        sloppyCidr: texts(validation.validateCidrForLegacyField(value, path, { strict: false })),
        interface: texts(validation.validateInterfaceAddress(value, path)),
        ipWarnings: validation.ipWarnings(value, path),
        cidrWarnings: validation.cidrWarnings(value, path),
      });
      expect(ours).toEqual(filled(answers as Record<string, string[]>));
    });
  }
  it("values of the old object stay allowed", () => {
    expect(validation.validateIpForLegacyField("010.0.0.1", path, { validOld: ["010.0.0.1"] })).toEqual([]);
    expect(validation.validateCidrForLegacyField("010.0.0.0/8", path, { validOld: ["010.0.0.0/8"] })).toEqual([]);
  });
});

describe("domains", () => {
  for (const { value, ...answers } of table("domains")) {
    it(JSON.stringify(value), () => {
      const ours = filled({
        name: texts(validation.validateFullyQualifiedName(value, path)),
        domain: texts(validation.validateFullyQualifiedDomainName(value, path)),
        path: texts(validation.validateDomainPrefixedPath(value, path)),
        key: texts(validation.validateDomainPrefixedKey(value, path)),
      });
      expect(ours).toEqual(answers);
    });
  }
});
