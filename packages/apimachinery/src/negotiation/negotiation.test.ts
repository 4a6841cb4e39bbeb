import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isStatusError } from "../status/index.js";
import { parseAccept } from "./accept.js";
import {
  customResourcePatchTypes,
  discoveryRestrictions,
  findOutput,
  negotiateInput,
  negotiateOutput,
  negotiatePatch,
  negotiateStream,
  plainRestrictions,
  resourceRestrictions,
  watchContentType,
} from "./index.js";

/** A question and what upstream's `endpoints/handlers/negotiation` answered, called with its own codec factory and request scopes. */
interface Recorded {
  accept: string;
  contentType?: string;
  restrictions?: keyof typeof restrictions;
  watch?: boolean;
  pretty?: string;
  userAgent?: string;
  answer: {
    error?: string;
    mediaType?: string;
    pretty?: boolean;
    stream?: string;
    profile?: string;
    convert?: { Group: string; Version: string; Kind: string };
  };
}
const recorded = JSON.parse(readFileSync(new URL("testdata/answers.json", import.meta.url), "utf8")) as Recorded[];
const restrictions = {
  plain: plainRestrictions,
  resource: resourceRestrictions({ tables: true }),
  custom: resourceRestrictions({ tables: true, objects: ["application/json", "application/yaml"] }),
  discovery: discoveryRestrictions,
};

function answer(question: Recorded): Recorded["answer"] {
  try {
    if (question.contentType !== undefined)
      return { mediaType: negotiateInput(question.contentType, { streaming: question.watch === true }) };
    const options = { restrictions: restrictions[question.restrictions ?? "plain"] };
    if (question.watch) return { mediaType: negotiateStream(question, options).mediaType };
    const { convert, ...output } = negotiateOutput(question, options);
    return {
      ...output,
      ...(convert ? { convert: { Group: convert.group, Version: convert.version, Kind: convert.kind } } : {}),
    };
  } catch (err) {
    return { error: (err as Error).message };
  }
}

describe("negotiation answers as upstream does", () => {
  for (const question of recorded) {
    const { answer: expected, ...asked } = question;
    it(JSON.stringify(asked), () =>
      expect(answer(question)).toEqual(
        expected.error === undefined && !question.watch && question.contentType === undefined
          ? { pretty: false, stream: "", profile: "", ...expected }
          : expected,
      ),
    );
  }
});

describe("the errors", () => {
  const status = (act: () => unknown): unknown => {
    try {
      act();
      return undefined;
    } catch (err) {
      return isStatusError(err) && [err.status.code, err.status.reason];
    }
  };
  it("406 NotAcceptable", () =>
    expect(status(() => negotiateOutput({ accept: "text/html" }))).toEqual([406, "NotAcceptable"]));
  it("415 UnsupportedMediaType", () =>
    expect(status(() => negotiateInput("application/cbor"))).toEqual([415, "UnsupportedMediaType"]));
});

describe("patches", () => {
  it("parameters are cut off", () =>
    expect(negotiatePatch("application/merge-patch+json; charset=utf-8")).toBe("application/merge-patch+json"));
  it("an unknown kind gets an error with those there are", () =>
    expect(() => negotiatePatch("application/json")).toThrow(
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml",
    ));
  it("custom resources have no strategic merge", () =>
    expect(() => negotiatePatch("application/strategic-merge-patch+json", customResourcePatchTypes)).toThrow(
      "accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    ));
});

describe("hostile headers are read in linear time", () => {
  const size = 1 << 20;
  const headers = [
    { name: "blanks inside a clause of Accept", accept: `a${" ".repeat(size)}b` },
    { name: "Accept of nothing but blanks and commas", accept: `${" ,".repeat(size / 2)}` },
    { name: "digits of a quality that is no number", accept: `a/b;q=${"1".repeat(size)}x` },
    {
      name: "many clauses of rising quality",
      accept: Array.from({ length: 60_000 }, (_, at) => `a/b;q=0.${100_000 + at}`).join(","),
    },
  ];
  for (const { name, accept } of headers) it(name, () => expect(findOutput({ accept })).toBeUndefined());

  it("escapes in a quoted parameter of Content-Type that never ends", () => {
    expect(() => negotiateInput(`application/json; a="${"\\a".repeat(size / 2)}`)).toThrow("unknown format");
    expect(negotiateInput('application/json; a="\\"b\\c\\\\"')).toBe("application/json");
    expect(() => negotiateInput('application/json; a="b\\"')).toThrow("unknown format");
  });
});

it("discovery falls back to its old form", () => {
  expect(findOutput({ accept: "application/json" }, { restrictions: discoveryRestrictions })).toBeUndefined();
  expect(
    findOutput(
      { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
      { restrictions: discoveryRestrictions },
    )?.convert?.version,
  ).toBe("v2");
});
it("only a protobuf watch names its stream", () => {
  expect(watchContentType("application/json")).toBe("application/json");
  expect(watchContentType("application/vnd.kubernetes.protobuf")).toBe(
    "application/vnd.kubernetes.protobuf;stream=watch",
  );
});

describe("an Accept header before the caller is known", () => {
  it("is read clause by clause up to 4 KiB, and no further", () => {
    const clauses = parseAccept(`text/plain,${"a/b,".repeat(300_000)}application/json`);
    expect(clauses.length).toBe(1022);
    expect(clauses.some(({ subtype }) => subtype === "json")).toBe(false);
  });
  it("names nothing where one clause is longer than that", () =>
    expect(parseAccept(`application/${"x".repeat(5000)}`)).toEqual([]));
  it("of commas alone is no work", () => expect(parseAccept(",".repeat(900_000))).toEqual([]));
});
