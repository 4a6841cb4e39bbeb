import { createHash } from "node:crypto";
import { deepFreeze } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { type CustomResourceDeps, customResource } from "./custom-resource.js";
import { noReplicas, readScale, replicasNeeded, withReplicas } from "./scale.js";
import type { Definition } from "./version-spec.js";

const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
const schema = { openAPIV3Schema: { type: "object" } };
const definition = (conversion: NonNullable<Definition["spec"]["conversion"]>): Definition => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names,
    conversion,
    versions: [
      { name: "v1", served: true, storage: false, schema },
      { name: "v2", served: false, storage: true, schema },
      { name: "v3", served: true, storage: false, schema },
    ],
  },
  status: { acceptedNames: names },
});
const object = (version: string, name: string): KubernetesObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Thing",
  metadata: { name },
});

const deps = (callWebhook: CustomResourceDeps["callWebhook"]): CustomResourceDeps => ({
  sha256: (text) => createHash("sha256").update(text).digest(),
  uid: () => "u",
  callWebhook,
});
const never = deps(() => Promise.reject(new Error("not to be called")));

describe("a custom resource in all its versions", () => {
  it("is served in those that are served, and stored in one", () => {
    const { stored, served } = customResource(definition({ strategy: "None" }), never);
    expect([stored.version, served.map(({ version }) => version)]).toEqual(["v2", ["v1", "v3"]]);
  });
  it("stands in the store under its group and plural", () =>
    expect(customResource(definition({ strategy: "None" }), never).stored.storagePrefix).toBe("example.com/things"));
  it("is the same object under another version without a webhook", async () => {
    const { served } = customResource(definition({ strategy: "None" }), never);
    const converted = await served[0]?.storedForm?.convert(
      deepFreeze([object("v1", "a"), object("v3", "b")]),
      "example.com/v2",
    );
    expect(converted).toEqual([object("v2", "a"), object("v2", "b")]);
  });

  const webhook = {
    strategy: "Webhook",
    webhook: { clientConfig: { url: "https://x.y" }, conversionReviewVersions: ["v1"] },
  };
  const answer = (objects: readonly object[]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid: "u", result: { status: "Success" }, convertedObjects: objects },
  });

  it("asks a webhook once for all objects that are in another version", async () => {
    const asked: unknown[] = [];
    const { stored } = customResource(
      definition(webhook),
      deps((_, review) => {
        const { objects } = review["request"] as { objects: KubernetesObject[] };
        asked.push(objects.map(({ metadata }) => metadata.name));
        return Promise.resolve(answer(objects.map((one) => ({ ...one, apiVersion: "example.com/v3", made: true }))));
      }),
    );
    const given = deepFreeze([object("v1", "a"), object("v3", "b"), object("v2", "c")]);
    const converted = await stored.storedForm?.convert(given, "example.com/v3");
    expect(asked).toEqual([["a", "c"]]);
    expect(converted).toEqual([
      { ...object("v3", "a"), made: true },
      object("v3", "b"),
      { ...object("v3", "c"), made: true },
    ]);
  });
  it("fails with 500 and the reason why a webhook could not be asked", async () => {
    const { stored } = customResource(
      definition(webhook),
      deps(() => Promise.reject(new Error("no route to host"))),
    );
    await expect(stored.storedForm?.convert([object("v1", "a")], "example.com/v2")).rejects.toMatchObject({
      status: { code: 500, message: "conversion webhook for example.com/v1, Kind=Thing failed: no route to host" },
    });
  });
});

describe("the replicas of a custom resource", () => {
  const paths = {
    specReplicas: ["spec", "a", "replicas"],
    statusReplicas: ["status", "replicas"],
    labelSelector: ["status", "sel"],
  };
  const scaled = (more: object): KubernetesObject => ({ ...object("v1", "a"), ...more });

  it("are read at the paths of the definition", () =>
    expect(readScale(scaled({ spec: { a: { replicas: 3 } }, status: { replicas: 2, sel: "x=y" } }), paths)).toEqual({
      specReplicas: 3,
      statusReplicas: 2,
      selector: "x=y",
    }));
  it("may be missing", () =>
    expect(readScale(scaled({}), paths)).toEqual({ specReplicas: undefined, statusReplicas: 0, selector: "" }));
  it("are refused where they are of another type", () =>
    expect(() => readScale(scaled({ spec: { a: 5 } }), paths)).toThrow(
      ".spec.a.replicas accessor error: 5 is of the type int64, expected map[string]interface{}",
    ));
  it("of another type are an error that is handed on as it is", () =>
    expect(() => readScale(scaled({ spec: "text" }), paths)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 500 }) as object }),
    ));
  it("are set with the objects around them", () =>
    expect(withReplicas(deepFreeze(scaled({ spec: { b: 1 } })), 4, paths)).toEqual(
      scaled({ spec: { b: 1, a: { replicas: 4 } } }),
    ));
  it("cannot be set inside of what is no object", () =>
    expect(() => withReplicas(scaled({ spec: { a: 5 } }), 4, paths)).toThrow(
      "value cannot be set because .spec.a is not a map[string]interface{}",
    ));
  it("are named in errors by their path", () =>
    expect([noReplicas(paths).message, replicasNeeded(paths).message]).toEqual([
      'Internal error occurred: the spec replicas field ".spec.a.replicas" does not exist',
      'the spec replicas field ".spec.a.replicas" cannot be empty',
    ]));
});
