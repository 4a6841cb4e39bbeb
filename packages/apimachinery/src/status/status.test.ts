import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fieldPath, invalid, required } from "../field/index.js";
import * as status from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T[];
/** As it goes over the wire: order of members included. */
const wire = (error: status.StatusError): string => JSON.stringify(error.status);

describe("constructors make upstream's statuses", () => {
  type Make = (...args: unknown[]) => status.StatusError;
  const constructors = { ...status } as unknown as Record<string, Make>;
  for (const row of table<{ call: string; args: unknown[]; status: status.Status }>("statuses")) {
    it(`${row.call}: ${row.status.message}`, () =>
      expect(wire((constructors[row.call] as Make)(...row.args))).toBe(JSON.stringify(row.status)));
  }
  for (const row of table<{ group: string; kind: string; name: string; errors: string[]; status: status.Status }>(
    "invalid",
  )) {
    it(`invalid: ${row.status.message}`, () => {
      const path = fieldPath("spec").child("a");
      const errors = row.errors.map((name) => (name === "required" ? required(path) : invalid(path, -1, "low")));
      expect(wire(status.invalid({ group: row.group, kind: row.kind }, row.name, errors))).toBe(
        JSON.stringify(row.status),
      );
    });
  }
  for (const row of table<{ response: status.GenericServerResponse; status: status.Status }>("generic-responses")) {
    it(`response ${row.response.code} to ${row.response.verb}`, () =>
      expect(wire(status.genericServerResponse(row.response))).toBe(JSON.stringify(row.status)));
  }
  it("media types are listed", () => {
    expect(status.notAcceptable(["a/b", "c/d"]).message).toBe("only the following media types are accepted: a/b, c/d");
    expect(status.unsupportedMediaType(["a/b"]).message).toBe(
      "the body of the request was in an unknown format - accepted media types include: a/b",
    );
  });
});

describe("predicates", () => {
  const pods = { group: "", resource: "pods" };
  const unknownReason = (code: number): status.StatusError => new status.StatusError({ code, reason: "", message: "" });
  it("go by the reason", () => {
    expect(status.isNotFound(status.notFound(pods, "a"))).toBe(true);
    expect(status.isConflict(status.alreadyExists(pods, "a"))).toBe(false);
    expect(status.isAlreadyExists(status.alreadyExists(pods, "a"))).toBe(true);
  });
  it("go by the code when the reason is unknown", () => expect(status.isConflict(unknownReason(409))).toBe(true));
  it("find a status among the causes", () =>
    expect(status.isNotFound(new Error("wrapped", { cause: status.notFound(pods, "a") }))).toBe(true));
  it("survive a circle of causes", () => {
    const error = new Error("self");
    error.cause = error;
    expect(status.isNotFound(error)).toBe(false);
  });
  it("are false for what is no status", () =>
    expect([undefined, null, "x", {}].map(status.isNotFound)).toEqual([false, false, false, false]));
  it("know a revision that is too large", () =>
    expect(status.isTooLargeResourceVersion(status.tooLargeResourceVersion(9, 1, 1))).toBe(true));
  it("return how long to wait", () => {
    expect(status.suggestedDelaySeconds(status.tooManyRequests("", 4))).toBe(4);
    expect(status.suggestedDelaySeconds(status.serverTimeout(pods, "list", 0))).toBe(0);
    expect(status.suggestedDelaySeconds(status.notFound(pods, "a"))).toBeUndefined();
  });
  it("a Status from the wire is an error again", () => {
    const sent = JSON.parse(wire(status.notFound(pods, "a"))) as unknown;
    expect(status.isNotFound(status.statusErrorFromObject(sent))).toBe(true);
    expect(status.statusErrorFromObject({ kind: "Pod", apiVersion: "v1" })).toBeUndefined();
  });
});
