// What Go programs do with runtime.Scheme, codecs and RESTMapper: kinds are registered, objects converted, encoded, decoded, and found by their resources.
import { builtInTypes } from "@coxswain/api/tables";
import { decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import { decodeProtobufObject, encodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import { createRestMapper } from "@coxswain/apimachinery/rest-mapper";
import { createScheme } from "@coxswain/apimachinery/scheme";
import { decodeYaml, stringifyYaml } from "@coxswain/apimachinery/yaml";

export interface Booking {
  readonly spec: { readonly guest: string; readonly nights: number };
}
/** Of before: there was only one guest, and a stay had its days. */
export interface BookingV1beta1 {
  readonly guest: string;
  readonly days: number;
}

const group = "hotel.example.com";
export const booking = { group, version: "v1", kind: "Booking" };
export const bookingV1beta1 = { group, version: "v1beta1", kind: "Booking" };
export const deployment = { group: "apps", version: "v1", kind: "Deployment" };
export const status = { group: "", version: "v1", kind: "Status" };

/** Kinds of one's own in two versions, one of Kubernetes', and one that is the same in every version. */
export const scheme = createScheme({ name: "hotel" });
scheme.register(
  {
    gvk: booking,
    hub: true,
    setDefaults: (object) => void ((object as unknown as { spec: { nights?: number } }).spec.nights ??= 1),
  },
  {
    gvk: bookingV1beta1,
    toHub({ apiVersion, kind, metadata, ...rest }) {
      const { guest, days } = rest as unknown as BookingV1beta1;
      return { apiVersion, kind, metadata, spec: { guest, nights: days - 1 } } as never;
    },
    fromHub({ apiVersion, kind, metadata, ...rest }) {
      const { guest, nights } = (rest as unknown as Booking).spec;
      return { apiVersion, kind, metadata, guest, days: nights + 1 } as never;
    },
  },
  { gvk: deployment },
  { gvk: status, unversioned: true },
);

/** What Go's codecs do: bytes of an object, and the object of bytes, checked against the type's description. */
const type = builtInTypes.get("io.k8s.api.apps.v1.Deployment");
export const codecs = {
  json: {
    encode: (object: unknown) => encodeJson(object, type),
    decode: (bytes: Uint8Array) => decodeJson(bytes, type).object,
  },
  yaml: {
    encode: (object: unknown) => new TextEncoder().encode(stringifyYaml(object)),
    decode: (bytes: Uint8Array) => decodeYaml(bytes, type).object,
  },
  protobuf: {
    encode: (object: unknown) => encodeProtobufObject(object, type),
    decode: (bytes: Uint8Array) => decodeProtobufObject(bytes, type),
  },
};

/** Of groups as discovery describes them; `createDynamicMapper` of the client asks a server. */
export const mapper = createRestMapper([
  {
    name: "apps",
    versions: [
      {
        version: "v1",
        resources: [{ resource: "deployments", kind: "Deployment", namespaced: true, shortNames: ["deploy"] }],
      },
    ],
  },
  {
    name: group,
    preferredVersion: "v1",
    versions: ["v1", "v1beta1"].map((version) => ({
      version,
      resources: [{ resource: "bookings", kind: "Booking", namespaced: true }],
    })),
  },
]);
