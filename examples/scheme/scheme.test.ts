import type { Deployment } from "@coxswain/api/apps/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { fromObject, kindOf, toObject } from "@coxswain/apimachinery/scheme";
import { describe, expect, it } from "vitest";
import {
  type Booking,
  type BookingV1beta1,
  booking,
  bookingV1beta1,
  codecs,
  deployment,
  mapper,
  scheme,
  status,
} from "./scheme.js";

const web: Deployment = {
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
};

describe("a scheme", () => {
  it("knows kinds in their versions, and one that has none", () => {
    expect(scheme.versionsOf(booking).map(({ gvk }) => gvk.version)).toEqual(["v1", "v1beta1"]);
    expect(scheme.get(status).unversioned).toBe(true);
    expect(() => scheme.get({ ...booking, kind: "Room" })).toThrow(
      'no kind "Room" is registered for version "hotel.example.com/v1" in scheme "hotel"',
    );
  });

  it("makes an object of a value, and a value of an object", () => {
    const object = toObject(scheme, deployment, web);
    expect([object.apiVersion, object.kind, kindOf(scheme, object)]).toEqual(["apps/v1", "Deployment", deployment]);
    expect(fromObject<Deployment>(scheme, deployment, object).spec?.replicas).toBe(2);
    expect(() => fromObject<Booking>(scheme, booking, object)).toThrow("the object is apps/v1, Kind=Deployment");
  });

  it("converts between versions, and sets defaults", () => {
    const before = toObject(scheme, bookingV1beta1, { metadata: { name: "a" }, guest: "ann", days: 3 });
    const now = scheme.convert<KubernetesObject>(before as never, bookingV1beta1, "v1");
    expect(now).toEqual({
      apiVersion: "hotel.example.com/v1",
      kind: "Booking",
      metadata: { name: "a" },
      spec: { guest: "ann", nights: 2 },
    });
    const back = scheme.convert(now, booking, "v1beta1");
    expect(fromObject<BookingV1beta1>(scheme, bookingV1beta1, back).days).toBe(3);
    const short = { ...toObject(scheme, booking, { spec: { guest: "eve" } }) };
    scheme.setDefaults(short as never, booking);
    expect(short.spec).toEqual({ guest: "eve", nights: 1 });
  });
});

describe("codecs", () => {
  for (const [name, { encode, decode }] of Object.entries(codecs))
    it(`${name}: what is encoded is decoded`, () => {
      const object = toObject(scheme, deployment, web);
      const bytes = encode(codecs.json.decode(codecs.json.encode(object)));
      expect(fromObject<Deployment>(scheme, deployment, decode(bytes) as object)).toMatchObject(web);
    });
  it("protobuf begins with its own four bytes", () =>
    expect(codecs.protobuf.encode(toObject(scheme, deployment, web)).slice(0, 4)).toEqual(
      Uint8Array.of(0x6b, 0x38, 0x73, 0),
    ));
});

it("a mapper finds the resource of a kind, and the kind of a resource", () => {
  const { resource, namespaced } = mapper.mapping(booking);
  expect([resource, namespaced]).toEqual([{ group: "hotel.example.com", version: "v1", resource: "bookings" }, true]);
  expect(mapper.kindFor({ resource: "deploy" })).toEqual(deployment);
  expect(mapper.kindFor({ resource: "bookings", version: "v1beta1" })).toEqual(bookingV1beta1);
});
