import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** What axe finds on the page as it is now, one line each. */
export async function checkAccessibility(page: Page): Promise<string[]> {
  // By the debugger: the page's own policy refuses scripts of others, as it should.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document, { iframes: false }).then(({ violations }) => JSON.stringify(violations))",
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as readonly Violation[];
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(" "))
        .join("; ")})`,
  );
}
