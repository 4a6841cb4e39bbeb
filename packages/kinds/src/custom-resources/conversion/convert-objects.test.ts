import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { convertObjects } from "./convert-objects.js";

interface Review {
  readonly request: { readonly uid: string; readonly objects: readonly KubernetesObject[] };
}

const things = ["a", "b", "c"].map((name) => ({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name } }));

/** Converts things to v2 by a webhook that makes `convertedObjects` of what it is sent; `asked`: how many in each request. */
async function convertThings(converted: (sent: readonly KubernetesObject[]) => readonly object[]) {
  const asked: number[] = [];
  const made = await convertObjects(things, {
    apiVersion: "example.com/v2",
    known: new Set(["example.com/v1", "example.com/v2"]),
    conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } },
    uid: () => "uid",
    async callWebhook(_, review) {
      const { uid, objects } = (review as unknown as Review).request;
      asked.push(objects.length);
      return { ...review, response: { uid, result: { status: "Success" }, convertedObjects: converted(objects) } };
    },
  }).catch((err: Error) => err.message);
  return { asked, made: typeof made === "string" ? made : made.map(({ metadata }) => metadata.name) };
}

const toV2 = (object: KubernetesObject): KubernetesObject => ({ ...object, apiVersion: "example.com/v2" });

describe("a webhook is asked", () => {
  it("once for all objects", async () => {
    expect(await convertThings((sent) => sent.map(toV2))).toEqual({ asked: [3], made: ["a", "b", "c"] });
  });

  it("for one after the other where it knows no more than one object of a request", async () => {
    expect(await convertThings((sent) => sent.slice(0, 1).map(toV2))).toEqual({
      asked: [3, 1, 1, 1],
      made: ["a", "b", "c"],
    });
  });

  it("until the object that it fails with, whose error is reported as upstream reports it", async () => {
    const failsWithB = (sent: readonly KubernetesObject[]) =>
      sent.some(({ metadata }) => metadata.name === "b") ? [] : sent.map(toV2);
    expect(await convertThings(failsWithB)).toEqual({
      asked: [3, 1, 1],
      made: "conversion webhook for example.com/v1, Kind=Thing returned 0 objects, expected 1",
    });
  });
});
