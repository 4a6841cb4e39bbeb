import { describe, expect, it } from "vitest";
import { convertBoat, convertReview, misbehaviours } from "./convert-review.js";

const boat = (spec: object, convert?: string) => ({
  apiVersion: "example.com/v1",
  kind: "Boat",
  metadata: { name: "a", managedFields: [], ...(convert !== undefined && { annotations: { convert } }) },
  spec,
});

describe("boats", () => {
  const rows = [
    {
      name: "an address is made of host and port",
      to: "v2",
      spec: { host: "kiel", port: 1 },
      want: { address: "kiel:1" },
    },
    {
      name: "host and port come from an address",
      to: "v1",
      spec: { address: "kiel:1" },
      want: { host: "kiel", port: 1 },
    },
    {
      name: "what has the shape already keeps it",
      to: "v3",
      spec: { host: "kiel", port: 1 },
      want: { host: "kiel", port: 1 },
    },
    { name: "other members stay", to: "v2", spec: { crew: 3 }, want: { crew: 3 } },
  ];
  for (const { name, to, spec, want } of rows)
    it(name, () =>
      expect(convertBoat(boat(spec) as never, `example.com/${to}`)).toEqual({
        ...boat(want),
        apiVersion: `example.com/${to}`,
      }),
    );
});

describe("a ConversionReview", () => {
  const ask = (convert?: string) =>
    convertReview(
      JSON.stringify({
        kind: "ConversionReview",
        apiVersion: "apiextensions.k8s.io/v1",
        request: { uid: "1", desiredAPIVersion: "example.com/v2", objects: [boat({ host: "kiel", port: 1 }, convert)] },
      }),
    );
  const responseOf = (convert?: string): unknown =>
    (JSON.parse(ask(convert)?.body ?? "{}") as { response?: unknown }).response;

  it("is answered rightly", () =>
    expect(responseOf()).toMatchObject({ uid: "1", convertedObjects: [{ spec: { address: "kiel:1" } }] }));
  it("is answered wrongly where an object asks for it", () =>
    expect(responseOf("v2:other-uid")).toMatchObject({ uid: "other" }));
  it("is answered rightly where the object asks for it in another version", () =>
    expect(responseOf("v1:other-uid")).toMatchObject({ uid: "1" }));
  it("may end with a cut connection", () => expect(ask("v2:cut")).toBeUndefined());
  it("has an answer for every misbehaviour, none of which is the right one", () => {
    const right = ask("")?.body;
    const asRight = Object.keys(misbehaviours).filter(
      (name) => ask(`v2:${name}`)?.body.replaceAll(`v2:${name}`, "") === right,
    );
    expect(asRight).toEqual([]);
  });
});
