import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { productVersion } from "../command/product-version.js";

it("the version that the command shows is the package's", () => {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  expect(productVersion).toBe((JSON.parse(text) as { version: string }).version);
});
