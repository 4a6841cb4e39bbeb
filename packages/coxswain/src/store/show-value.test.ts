import { wrapEnvelope } from "@coxswain/apimachinery/protobuf";
import { describe, expect, it } from "vitest";
import { formatSize } from "./print.js";
import { createProgress } from "./progress.js";
import { showValue, valueAsData } from "./show-value.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a value as a person sees it", () => {
  const cases = [
    { name: "JSON in lines", value: bytes('{"a":[1]}'), shown: '{\n  "a": [\n    1\n  ]\n}', data: { a: [1] } },
    { name: "text as it is", value: bytes("plain"), shown: "plain", data: "plain" },
    {
      name: "protobuf by its kind",
      value: wrapEnvelope(Uint8Array.of(10, 0), { apiVersion: "v1", kind: "Pod" }),
      shown: expect.stringMatching(/^\(protobuf: v1 Pod, \d+ bytes\)$/) as string,
      data: expect.stringContaining("v1 Pod") as string,
    },
    {
      name: "protobuf that is cut off",
      value: Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x0a, 9),
      shown: "(protobuf that cannot be read, 6 bytes)",
      data: "(protobuf that cannot be read, 6 bytes)",
    },
    {
      name: "what is encrypted by its key",
      value: Uint8Array.of(...bytes("k8s:enc:aescbc:v1:key1:"), 0xff, 0x00),
      shown: "(encrypted: aescbc v1, key key1, 25 bytes)",
      data: "(encrypted: aescbc v1, key key1, 25 bytes)",
    },
    {
      name: "what a KMS encrypted by its provider",
      value: bytes("k8s:enc:kms:v2:vault:xyz"),
      shown: "(encrypted: kms v2, provider vault, 24 bytes)",
      data: "(encrypted: kms v2, provider vault, 24 bytes)",
    },
    { name: "other bytes by their number", value: Uint8Array.of(0xff, 0xfe), shown: "(2 bytes)", data: "(2 bytes)" },
  ];
  for (const { name, value, shown, data } of cases) {
    it(name, () => {
      expect(showValue(value)).toEqual(shown);
      expect(valueAsData(value)).toEqual(data);
    });
  }
});

describe("sizes", () => {
  for (const [size, text] of [
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1536, "1.5 KiB"],
    [5 * 1024 ** 3, "5.0 GiB"],
  ] as const) {
    it(text, () => expect(formatSize(size)).toBe(text));
  }
});

describe("progress", () => {
  const shown = (isTTY: boolean): string => {
    let text = "";
    const progress = createProgress("Backing up", { isTTY, write: (part) => (text += part) });
    progress.show({ keys: 5, of: 10 });
    progress.show({ keys: 5, of: 10 });
    progress.end();
    return text;
  };
  it("is a line that is written over and taken away", () =>
    expect(shown(true)).toBe("\rBacking up: 5 of 10 keys (50%)\u001b[K\r\u001b[K"));
  it("is not written to a log", () => expect(shown(false)).toBe(""));
});
