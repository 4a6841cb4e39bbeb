import { applyJsonPatch } from "@coxswain/apimachinery/patch";
import { invalid } from "@coxswain/apimachinery/status";
import { describe, expect, it } from "vitest";
import { defineResource } from "../resource/index.js";
import type { Handler } from "../serving/index.js";
import {
  conversionHandler,
  defaultingHandler,
  jsonPatchDifference,
  spoke,
  validatingHandler,
  webhookPath,
} from "./index.js";

interface Video {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string };
  spec: { size?: number; format?: string };
}
const facts = { group: "media.example.com", kind: "Video", resource: "videos", scope: "Namespaced" } as const;
const Videos = defineResource<Video>({ ...facts, version: "v1" });
const OldVideos = defineResource<{ spec: { bytes?: number } }>({ ...facts, version: "v1alpha1" });

const post = async (handler: Handler, value: unknown, headers = { "content-type": "application/json" }) => {
  const body = value === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(value));
  const response = await handler({ method: "POST", path: "/", query: new URLSearchParams(), headers, body });
  return JSON.parse(String(response?.body)) as { response: Record<string, unknown> };
};
const review = (operation: string, object: unknown, oldObject?: unknown) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u", operation, object, oldObject },
});

describe("webhooks", () => {
  it("have controller-runtime's paths", () =>
    expect([webhookPath("mutate", Videos), webhookPath("validate", { group: "", version: "v1", kind: "Pod" })]).toEqual(
      ["/mutate-media-example-com-v1-video", "/validate--v1-pod"],
    ));

  const defaulting = defaultingHandler<Video>((video) => {
    video.spec.format ??= "mp4";
  });
  it("defaulting answers a JSON patch of what changed", async () => {
    const { response } = await post(defaulting, review("CREATE", { spec: {} }));
    expect(JSON.parse(atob(String(response["patch"])))).toEqual([{ op: "add", path: "/spec/format", value: "mp4" }]);
    expect(response).toMatchObject({ uid: "u", allowed: true, patchType: "JSONPatch" });
  });
  it("defaulting without a change has no patch", async () =>
    expect((await post(defaulting, review("UPDATE", { spec: { format: "x" } }))).response).toEqual({
      uid: "u",
      allowed: true,
    }));
  it("a deletion is not defaulted", async () =>
    expect((await post(defaulting, review("DELETE", undefined))).response).toMatchObject({ allowed: true }));

  const validating = validatingHandler<Video>({
    create(video, admission) {
      if (video.spec.size === 0) throw new Error("empty");
      if (video.spec.size === 1) throw invalid({ group: "media.example.com", kind: "Video" }, "a", []);
      if (video.spec.size === undefined) admission.warn("no size");
      if (video.spec.size === 2) (undefined as unknown as { x: () => void }).x();
    },
    update: (video, old) => {
      if (video.spec.size !== old.spec.size) throw new Error("spec.size is immutable");
    },
  });
  const cases = [
    {
      name: "allows with a warning",
      review: review("CREATE", { spec: {} }),
      response: { allowed: true, warnings: ["no size"] },
    },
    {
      name: "denies with a message",
      review: review("CREATE", { spec: { size: 0 } }),
      response: { allowed: false, status: { code: 403, reason: "Forbidden", message: "empty" } },
    },
    {
      name: "denies with a status",
      review: review("CREATE", { spec: { size: 1 } }),
      response: { allowed: false, status: { code: 422, reason: "Invalid" } },
    },
    {
      name: "a mistake in the webhook is a 500",
      review: review("CREATE", { spec: { size: 2 } }),
      response: { allowed: false, status: { code: 500 } },
    },
    {
      name: "compares with the old object",
      review: review("UPDATE", { spec: { size: 3 } }, { spec: { size: 4 } }),
      response: { allowed: false, status: { message: "spec.size is immutable" } },
    },
    {
      name: "what is not checked is allowed",
      review: review("DELETE", undefined, { spec: {} }),
      response: { allowed: true },
    },
    {
      name: "an unknown operation is refused",
      review: review("DANCE", {}),
      response: { allowed: false, status: { code: 400, message: 'unknown operation "DANCE"' } },
    },
    {
      name: "an empty body is refused",
      review: undefined,
      response: { allowed: false, status: { code: 400, message: "request body is empty" } },
    },
    {
      name: "null is refused as a review without a request",
      review: null,
      response: { allowed: false, status: { code: 400, message: "the review has no request" } },
    },
  ];
  for (const c of cases)
    it(`validation ${c.name}`, async () =>
      expect((await post(validating, c.review)).response).toMatchObject(c.response));
  it("another content type is refused", async () =>
    expect((await post(validating, {}, { "content-type": "text/xml" })).response).toMatchObject({
      status: { code: 400, message: "contentType=text/xml, expected application/json" },
    }));

  const converting = conversionHandler([
    {
      hub: Videos,
      spokes: [
        spoke<object, { spec: { bytes?: number } }>(OldVideos, {
          toHub: (old) => ({ spec: { size: old.spec.bytes } }),
          fromHub: (hub) => ({ spec: { bytes: (hub as Video).spec.size } as { bytes?: number } }),
        }),
      ],
    },
  ]);
  const convert = (object: object, desiredAPIVersion: string) =>
    post(converting, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      request: { uid: "c", desiredAPIVersion, objects: [object] },
    });
  const metadata = { name: "a" };
  it("converts to the hub and back, and carries the metadata over", async () => {
    const old = { apiVersion: "media.example.com/v1alpha1", kind: "Video", metadata, spec: { bytes: 5 } };
    const hub = { apiVersion: "media.example.com/v1", kind: "Video", metadata, spec: { size: 5 } };
    expect((await convert(old, hub.apiVersion)).response).toMatchObject({
      uid: "c",
      result: { status: "Success" },
      convertedObjects: [hub],
    });
    expect((await convert(hub, old.apiVersion)).response).toMatchObject({ convertedObjects: [old] });
  });
  it("an unknown version is a failure with a message", async () =>
    expect(
      (await convert({ apiVersion: "media.example.com/v1", kind: "Video", metadata }, "media.example.com/v9")).response,
    ).toMatchObject({
      result: { status: "Failure", message: "Video has no version media.example.com/v9 that can be converted" },
    }));
});

describe("the difference of two values as a JSON patch makes one of the other", () => {
  const cases: [string, unknown, unknown][] = [
    ["members that come, go and change", { a: 1, b: 2, "x/y~z": 1 }, { b: 3, c: [1], "x/y~z": 2 }],
    ["lists that grow", [1, 2], [1, 3, 4, 5]],
    ["lists that shrink", [1, 2, 3, 4], [2]],
    ["another type", { a: [1] }, { a: { b: 1 } }],
    ["null", { a: 1 }, { a: null }],
    ["nested", { a: [{ b: 1 }, { c: 2 }] }, { a: [{ b: 2, d: 1 }] }],
  ];
  for (const [name, before, after] of cases)
    it(name, () =>
      expect(applyJsonPatch({ v: before }, jsonPatchDifference({ v: before }, { v: after }) as never)).toEqual({
        v: after,
      }),
    );
});
