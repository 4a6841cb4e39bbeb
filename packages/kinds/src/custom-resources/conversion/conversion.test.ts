import { readFileSync } from "node:fs";
import { deepFreeze } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { readConversionResponse } from "./conversion-response.js";
import { chooseReviewVersion, conversionRequest, noReviewVersion } from "./conversion-review.js";
import { checkConvertible, isEmptyObject, relabel } from "./convertible.js";

// The answers in ../testdata/conversions.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources, with a webhook that gives the answer of the case.
interface Case {
  name: string;
  reviewVersions: string[];
  to: string;
  list: boolean;
  objects: KubernetesObject[];
  response?: object;
  answer: { request?: object; converted?: object[]; error?: string };
}
const cases = JSON.parse(readFileSync(new URL("../testdata/conversions.json", import.meta.url), "utf8")) as Case[];
const known = new Set(["example.com/v1", "example.com/v2", "example.com/v3"]);
const uid = "$UID";

/** What a converter does: the check, the request, the webhook's answer. */
function convert({ objects, to: apiVersion, list: isList, reviewVersions, response }: Case): {
  request?: object;
  converted: readonly object[];
} {
  checkConvertible(objects, { apiVersion, known, isList });
  const others = objects.filter((object) => object.apiVersion !== apiVersion);
  if (!response || objects.every(isEmptyObject)) return { converted: objects.map((one) => relabel(one, apiVersion)) };
  const review = chooseReviewVersion(reviewVersions);
  if (!review) throw new Error(noReviewVersion);
  if (others.length === 0) return { converted: objects };
  const subject = isList ? "example.com/v1, Kind=ThingList" : "example.com/v1, Kind=Thing";
  const head = { review, uid, apiVersion };
  const made = readConversionResponse(response, { ...head, objects: others, subject, isList });
  return {
    request: conversionRequest(others, head),
    converted: objects.map((object) => (object.apiVersion === apiVersion ? object : made[others.indexOf(object)])!),
  };
}

function attempt(c: Case): Partial<ReturnType<typeof convert>> & { error?: string } {
  try {
    return convert(c);
  } catch (err) {
    return { error: (err as Error).message };
  }
}

describe("objects are converted as upstream does", () => {
  for (const c of cases)
    it(c.name, () => {
      const { request, converted, error } = attempt(deepFreeze(c));
      expect(error).toBe(c.answer.error);
      if (error === undefined)
        expect({ request, converted }).toEqual({ request: c.answer.request, converted: c.answer.converted });
    });
});
