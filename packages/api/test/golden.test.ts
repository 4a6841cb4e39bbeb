import { decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import { decodeProtobufObject, encodeProtobufObject, readEnvelope } from "@coxswain/apimachinery/protobuf";
import { decodeYaml, stringifyYaml } from "@coxswain/apimachinery/yaml";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { goModules } from "./go-module.js";
import { type GoldenObject, goldenObjects } from "./golden-files.js";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const read = (golden: GoldenObject, extension: string): Uint8Array => golden.read(extension) as Uint8Array;
const head = goldenObjects("HEAD");

describeWith("upstream's golden objects", { found: head.length > 0, missing: goModules }, () => {
  it("are all there", () => expect(head).toHaveLength(185));
  for (const golden of head) {
    const { name, node } = golden;
    it(`${name}: JSON in, the same JSON out`, () => {
      const bytes = read(golden, "json");
      const { object, warnings } = decodeJson(bytes, node, { strict: true });
      expect(warnings).toEqual([]);
      expect(text(encodeJson(object, node, { pretty: true }))).toBe(text(bytes));
    });
    it(`${name}: YAML in, the same object and the same YAML out`, () => {
      const bytes = read(golden, "yaml");
      const { object, warnings } = decodeYaml(bytes, node, { strict: true });
      expect(warnings).toEqual([]);
      expect(text(encodeJson(object, node, { pretty: true }))).toBe(text(read(golden, "json")));
      expect(stringifyYaml(object)).toBe(text(bytes));
    });
    it(`${name}: protobuf in, the same object and the same bytes out`, () => {
      const bytes = read(golden, "pb");
      const { kind = "", apiVersion = "" } = JSON.parse(text(read(golden, "json"))) as {
        kind?: string;
        apiVersion?: string;
      };
      expect(readEnvelope(bytes)).toMatchObject({ kind, apiVersion });
      const object = decodeProtobufObject(bytes, node);
      expect(text(encodeJson(object, node, { pretty: true }))).toBe(text(read(golden, "json")));
      expect(hex(encodeProtobufObject(object, node))).toBe(hex(bytes));
    });
  }
});

for (const release of head.length > 0 ? ["v1.33.0", "v1.34.0", "v1.35.0"] : []) {
  const kinds = new Set(head.map(({ name }) => name));
  const objects = goldenObjects(release).filter(({ name }) => kinds.has(name));
  describeWith(
    `golden objects of ${release}, as this release writes them`,
    { found: objects.length > 0, missing: goModules },
    () => {
      for (const golden of objects) {
        const { name, node } = golden;
        const after = (extension: string): Uint8Array =>
          golden.read(`after_roundtrip.${extension}`) ?? read(golden, extension);
        it(`${name}: JSON`, () =>
          expect(text(encodeJson(decodeJson(read(golden, "json"), node).object, node, { pretty: true }))).toBe(
            text(after("json")),
          ));
        it(`${name}: protobuf`, () =>
          expect(hex(encodeProtobufObject(decodeProtobufObject(read(golden, "pb"), node), node))).toBe(
            hex(after("pb")),
          ));
      }
    },
  );
}
