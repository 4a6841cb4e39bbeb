import { describe, expect, it } from "vitest";
import { aggregate, checkPayload, type KeyedSource, keyedPayload, type Payload } from "./payload.js";

const text = (payload: Payload): unknown =>
  Object.fromEntries(
    [...payload].map(([path, { content, mode }]) => [path, `${mode.toString(8)} ${Buffer.from(content)}`]),
  );
const content = new Map([
  ["a", Buffer.from("1")],
  ["b", Buffer.from("2")],
  ["__proto__", Buffer.from("3")],
]);
const source = (change: Partial<KeyedSource>): KeyedSource => ({
  kind: "configmap",
  content,
  items: [],
  isOptional: false,
  defaultMode: 0o644,
  ...change,
});

describe("files of a config map or secret", () => {
  it("without items: every key is a file of the default mode", () =>
    expect([...keyedPayload(source({ defaultMode: 0o400 })).keys()]).toEqual(["a", "b", "__proto__"]));

  it("with items: only those, under their paths and with their modes", () =>
    expect(
      text(
        keyedPayload(
          source({
            items: [
              { key: "b", path: "x/y", mode: 0o600 },
              { key: "a", path: "z" },
            ],
          }),
        ),
      ),
    ).toEqual({ "x/y": "600 2", z: "644 1" }));

  it("an item without its key is an error in upstream's words", () => {
    const items = [{ key: "none", path: "p" }];
    expect(() => keyedPayload(source({ items }))).toThrow("configmap references non-existent config key: none");
    expect(() => keyedPayload(source({ items, kind: "secret" }))).toThrow(/^references non-existent secret key: none$/);
  });

  it("an item without its key is left out where it is optional", () =>
    expect(text(keyedPayload(source({ items: [{ key: "none", path: "p" }], isOptional: true })))).toEqual({}));
});

describe("paths of a payload", () => {
  const file = { content: new Uint8Array(), mode: 0o644 };
  const bad = [
    { path: "", error: "must not be empty" },
    { path: "./", error: "must not be empty" },
    { path: "/etc/passwd", error: "must be relative path: /etc/passwd" },
    { path: "a/../b", error: "must not contain '..': a/../b" },
    { path: "..", error: "must not contain '..': .." },
    { path: "..data", error: "must not start with '..': ..data" },
    { path: "./..data/x", error: "must not start with '..': ./..data/x" },
    { path: "n".repeat(256), error: "filenames must be less than or equal to 255 characters" },
    { path: "é".repeat(128), error: "filenames must be less than or equal to 255 characters" },
    { path: "n/".repeat(2049), error: "must be less than or equal to 4096 characters" },
    { path: "a\0b", error: "zero byte" },
  ];
  for (const { path, error } of bad)
    it(`${JSON.stringify(path.slice(0, 20))} is refused`, () =>
      expect(() => checkPayload(new Map([[path, file]]))).toThrow(error));

  it("are made clean", () =>
    expect([
      ...checkPayload(
        new Map([
          ["a//./b/", file],
          ["c..", file],
        ]),
      ).keys(),
    ]).toEqual(["a/b", "c.."]));
});

describe("several errors", () => {
  it("are one in brackets; equal ones count once; one alone has none", () => {
    expect(aggregate(["a", "b", "a"])).toBe("[a, b]");
    expect(aggregate(["a", "a"])).toBe("a");
  });
});
