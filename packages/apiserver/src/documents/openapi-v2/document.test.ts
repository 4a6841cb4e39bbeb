import assert from "node:assert/strict";
import { builtInResources } from "@coxswain/api/resources";
import { builtInTypes as types } from "@coxswain/api/tables";
import { describe, it } from "vitest";
import { readRecorded, withoutProse } from "../recorded-documents.js";
import { serveBuiltIn } from "../served-resource.js";
import { openAPIV2Document } from "./document.js";

interface Document {
  paths: Record<string, unknown>;
  definitions: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

const served = builtInResources.filter((info) => info.servedByDefault).map((info) => serveBuiltIn(info, types));
const ours = withoutProse(openAPIV2Document(served, { types })) as unknown as Document;
const theirs = withoutProse(readRecorded("openapi-v2")) as unknown as Document;

/** Shared parameters are named after their texts, which differ; so they are compared in their places. */
function inline(paths: unknown, { parameters }: Document): unknown {
  return JSON.parse(JSON.stringify(paths), (_name, value: unknown) => {
    const ref = typeof value === "object" && value !== null && "$ref" in value ? String(value.$ref) : "";
    return ref.startsWith("#/parameters/") ? parameters[ref.slice("#/parameters/".length)] : value;
  }) as unknown;
}

describe("OpenAPI 2 is that of the real server, but for the prose", () => {
  it("has the same paths", () => assert.deepEqual(Object.keys(ours.paths), Object.keys(theirs.paths)));
  it("has the same operations", () => {
    for (const path of Object.keys(theirs.paths)) {
      assert.deepEqual(inline(ours.paths[path], ours), inline(theirs.paths[path], theirs), path);
    }
  });
  it("has the same definitions", () => {
    assert.deepEqual(Object.keys(ours.definitions), Object.keys(theirs.definitions));
    for (const [name, definition] of Object.entries(theirs.definitions)) {
      assert.equal(JSON.stringify(ours.definitions[name]), JSON.stringify(definition), name);
    }
  });
  it("has the same other members", () => {
    const rest = ({
      paths: _paths,
      definitions: _definitions,
      parameters: _parameters,
      ...others
    }: Document): unknown => others;
    assert.equal(JSON.stringify(rest(ours)), JSON.stringify(rest(theirs)));
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
  });
  it("names parameters without a text as the real server does", () => {
    const bodies = (document: Document): string[] =>
      Object.keys(document.parameters).filter((name) => name.startsWith("body-"));
    assert.deepEqual(bodies(ours), bodies(theirs));
  });
});
