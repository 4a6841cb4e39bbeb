import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Page } from "playwright-core";
import type { JsonObject } from "../../record/index.js";
import { longestMs, press, see, visit } from "../stories/story.js";
import type { CustomKind } from "./choose-kinds.js";
import type { CustomServer } from "./custom-server.js";
import { makeInvalid } from "./make-object.js";

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** One kind in the page: its table, an edit that is saved, and a mistake that the server names. @throws Error with what is not so */
export async function playKind(page: Page, server: CustomServer, kind: CustomKind, object: JsonObject): Promise<void> {
  const { group, version, plural, namespace } = kind;
  const name = String((object["metadata"] as JsonObject)["name"]);
  const collection = `/apis/${group}/${version}${namespace === "" ? "" : `/namespaces/${namespace}`}/${plural}`;
  await seeTable(page, server, { kind, collection, name });
  const place = `#/o/${group}/${version}/${plural}/${namespace || "_"}/${encodeURIComponent(name)}?tab=yaml`;
  await visit(page, place);
  await edit(page, name);
  const { value } = await server.send("GET", `${collection}/${name}`);
  const { labels } = value["metadata"] as { labels?: Readonly<Record<string, string>> };
  if (labels?.["console"] !== "edited") throw new Error(`it was not saved: its labels are ${JSON.stringify(labels)}`);
  await mistake(page, server, {
    path: `${collection}/${name}`,
    invalid: makeInvalid(value, kind.schema) as JsonObject,
  });
}

/** The server's own columns and cells, ages apart: they grow. */
async function seeTable(
  page: Page,
  server: CustomServer,
  { kind, collection, name }: { kind: CustomKind; collection: string; name: string },
): Promise<void> {
  const { group, version, plural, namespace } = kind;
  await visit(page, `#/t/${group}/${version}/${plural}?wide=1${namespace === "" ? "" : `&ns=${namespace}`}`);
  await see(page, ".rows .name", name);
  const { value } = await server.send("GET", collection, undefined, asTable);
  const table = value as unknown as Table;
  const wanted = table.columnDefinitions.map((column) => column.name);
  const heads = (await page.locator("[role=columnheader] button").allTextContents()).map((text) => text.trim());
  const missing = wanted.filter((column) => !heads.includes(column));
  if (missing.length > 0) throw new Error(`its table has no column ${missing.join(", ")}`);
  const cells = await page.locator(".rows [role=cell]").allTextContents();
  const row = table.rows.find((one) => one.cells[0] === name)?.cells ?? [];
  for (const [at, cell] of row.entries()) {
    const text = cell === null ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
    if (!isSpan(table.columnDefinitions[at]) && !cells.includes(text))
      throw new Error(`no cell is ${text}, its ${wanted[at]}`);
  }
}

/** A time is printed as how long ago it is. */
const isSpan = (column: Table["columnDefinitions"][number] | undefined): boolean =>
  column?.type === "date" || column?.name.toLowerCase() === "age";

async function edit(page: Page, name: string): Promise<void> {
  await page
    .locator(".cm-line", { hasText: `  name: ${name}` })
    .first()
    .click({ timeout: longestMs });
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("labels: {console: edited}");
  await press(page, /^Save/);
  await see(page, ".difference .new", "console: edited");
  await page.locator("dialog").getByRole("button", { name: "Save" }).click();
  await see(page, ".toolbar", "as on the server");
}

/** What the server reports about an object is shown in its own words while one types. */
async function mistake(
  page: Page,
  server: CustomServer,
  { path, invalid }: { path: string; invalid: JsonObject },
): Promise<void> {
  const { status, value } = await server.send("PUT", `${path}?dryRun=All`, invalid);
  if (status < 400) throw new Error("the server takes the object that should be wrong");
  const { message, details } = value as { message: string; details?: { causes?: readonly { message: string }[] } };
  const { managedFields: _, ...metadata } = invalid["metadata"] as JsonObject;
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(stringifyYaml({ ...invalid, metadata }));
  await page
    .locator(".cm-lintRange-error, .cm-lintPoint-error")
    .first()
    .waitFor({ state: "attached", timeout: longestMs });
  await page.keyboard.press("Control+Shift+KeyM");
  const panel = page.locator(".cm-panel-lint");
  await panel.waitFor({ timeout: longestMs });
  const shown = (await panel.locator("li").allTextContents()).join("\n");
  const causes = details?.causes?.map((cause) => cause.message) ?? [message];
  for (const cause of causes)
    if (!shown.includes(cause)) throw new Error(`the editor shows ${shown}, the server reports ${cause}`);
  await page.keyboard.press("Escape");
  await press(page, "Undo all");
}
