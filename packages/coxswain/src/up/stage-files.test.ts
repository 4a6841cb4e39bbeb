import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readStages } from "./stage-files.js";

const stage = (name: string, template = "phase: Running"): string => `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec: { resourceRef: { kind: Pod }, selector: {}, next: { statusTemplate: "${template}" } }
`;
const folder = mkdtempSync(join(tmpdir(), "stages-"));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const two = write("b.yaml", `${stage("second")}---${stage("third")}`);
write("a.yml", stage("first"));
write("kustomization.yaml", "kind: Kustomization");
mkdirSync(join(folder, "testdata"));
const elsewhere = mkdtempSync(join(tmpdir(), "stages-"));
const wrong = join(elsewhere, "pod.yaml");
writeFileSync(wrong, "apiVersion: v1\nkind: Pod");
const unplayable = join(elsewhere, "stage.yaml");
writeFileSync(unplayable, stage("x", "{{ env }}"));

describe("--stages", () => {
  it("reads all documents of a file", () =>
    expect(readStages([two]).map(({ metadata }) => metadata?.name)).toEqual(["second", "third"]));
  it("reads the files of a folder in order, without kustomization.yaml", () =>
    expect(readStages([folder]).map(({ metadata }) => metadata?.name)).toEqual(["first", "second", "third"]));
  it("refuses other kinds", () =>
    expect(() => readStages([wrong])).toThrow(
      `--stages: ${wrong}: expected a Stage of kwok.x-k8s.io/v1alpha1, found Pod of v1`,
    ));
  it("refuses what cannot be played, with its place", () =>
    expect(() => readStages([unplayable])).toThrow(
      `--stages: ${unplayable}: Stage x: spec.next.statusTemplate: line 1: function "env" is not supported`,
    ));
  it("names a path that is not there", () =>
    expect(() => readStages([join(elsewhere, "none")])).toThrow("no such file or directory"));
});
