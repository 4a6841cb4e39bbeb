import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";

const text = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../dist/bundle/${name}`, import.meta.url)));

describe("the bundle", () => {
  it("is ASCII: the launcher reads it byte by byte, and a sign of two bytes in a regular expression would become two signs", () => {
    expect(text("coxswain.js").findIndex((byte) => byte > 0x7f)).toBe(-1);
  });
  it("is one function, whose compiled code can be kept", () => {
    expect(() => new Script(text("coxswain.js").toString("latin1"))).not.toThrow();
  });
  it("brings the objects that a server makes on an empty store", () => {
    expect(Object.keys(JSON.parse(text("prepared-objects.json").toString()) as object)).toContain(
      "/registry/namespaces/default",
    );
  });
});
