import { decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import { goldenObjects } from "./golden-files.js";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const head = goldenObjects("HEAD");

describe.skipIf(head.length === 0)("upstream's golden objects, as JSON", () => {
  it("are all there", () => expect(head).toHaveLength(185));
  for (const golden of head) {
    it(golden.name, () => {
      const bytes = golden.read("json") as Uint8Array;
      const { object, warnings } = decodeJson(bytes, golden.node, { strict: true });
      expect(warnings).toEqual([]);
      expect(text(encodeJson(object, golden.node, { pretty: true }))).toBe(text(bytes));
    });
  }
});
