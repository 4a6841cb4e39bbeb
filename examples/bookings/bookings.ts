// An API that has nothing to do with containers, served by an API server of its own.
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type ApiGroup, type ApiKind, fieldPath, invalid } from "@coxswain/apiserver/library";

export interface Booking extends KubernetesObject {
  spec: { guest: string; nights: number; from: string };
  status?: { room?: string };
}

const bookings: ApiKind<Booking> = {
  kind: "Booking",
  shortNames: ["bk"],
  scope: "Namespaced",
  status: true,
  columns: [
    { name: "Guest", type: "string", jsonPath: ".spec.guest" },
    { name: "Nights", type: "integer", jsonPath: ".spec.nights" },
  ],
  selectableFields: [".spec.guest"],
  versions: [
    {
      name: "v1",
      schema: {
        type: "object",
        required: ["spec"],
        properties: { spec: { $ref: "#/$defs/BookingSpec" }, status: { $ref: "#/$defs/BookingStatus" } },
        $defs: {
          BookingSpec: {
            description: "Who comes, when, and for how long.",
            type: "object",
            required: ["guest", "from"],
            properties: {
              guest: { type: "string", minLength: 1 },
              from: { type: "string", format: "date" },
              nights: { type: "integer", minimum: 1, maximum: 30, default: 1 },
            },
            "x-kubernetes-validations": [
              { rule: "self.guest != 'nobody'", message: "somebody has to come", fieldPath: ".guest" },
            ],
          },
          BookingStatus: { type: "object", properties: { room: { type: "string" } } },
        },
      },
    },
  ],
  strategy: {
    validateUpdate: (booking, old) =>
      booking.spec.from === old.spec.from
        ? []
        : [invalid(fieldPath("spec", "from"), booking.spec.from, "is fixed: cancel the booking and make another")],
    warningsOnCreate: ({ spec }) => (spec.nights > 14 ? ["long stays are confirmed by telephone"] : []),
  },
};

export const hotel: ApiGroup = { name: "hotel.example.com", kinds: [bookings] };
