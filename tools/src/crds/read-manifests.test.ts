import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readManifests } from "./read-manifests.js";

const folder = mkdtempSync(join(tmpdir(), "manifests-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
mkdirSync(join(folder, "below"));
write(
  "b.yaml",
  "apiVersion: x.io/v1\nkind: B\n---\n# nothing\n---\napiVersion: v1\nkind: List\nitems: [{apiVersion: x.io/v1, kind: C}]\n",
);
write("below/a.yml", 'apiVersion: x.io/v1\nkind: A\nspec: {text: "{{workflow.name}}"}\n');
write("chart.yaml", "apiVersion: x.io/v1\nkind: {{ .Values.kind }}\n");
write("values.yaml", "replicas: 3\n");
write("broken.yaml", "a: [\n");
write("notes.txt", "apiVersion: x.io/v1\nkind: D\n");

const kinds = (...args: Parameters<typeof readManifests>): unknown[] =>
  readManifests(...args).map(({ object }) => object["kind"]);

describe("objects in the files of a project", () => {
  it("are found in every document and list, in the order of files; templates and what is no object are passed over", () =>
    expect(kinds(folder)).toEqual(["B", "C", "A"]));
  it("may be those of one file", () => expect(kinds(join(folder, "below/a.yml"))).toEqual(["A"]));
  it("are not looked for where the text cannot hold any", () =>
    expect(kinds(folder, (text) => text.includes("workflow"))).toEqual(["A"]));
});
