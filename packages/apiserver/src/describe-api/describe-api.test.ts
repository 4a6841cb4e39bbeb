import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { type ApiKind, createApiServer, createInProcessTransport } from "../library/index.js";
import { describeApi } from "./describe-api.js";

interface Booking extends KubernetesObject {
  spec: { guest: string; nights: number };
  status?: { room?: string };
}

type OlderBooking = DeepReadonly<KubernetesObject & { spec: { visitor: string; nights: number } }>;

const schemaWith = (guest: string) => ({
  type: "object",
  required: ["spec"],
  properties: { spec: { $ref: "#/$defs/BookingSpec" }, status: { $ref: "#/$defs/BookingStatus" } },
  $defs: {
    BookingSpec: {
      type: "object",
      required: [guest],
      properties: { [guest]: { type: "string", minLength: 2 }, nights: { type: "integer", minimum: 1, default: 1 } },
    },
    BookingStatus: { type: "object", properties: { room: { type: "string" } } },
  },
});

const bookings: ApiKind<Booking> = {
  kind: "Booking",
  scope: "Namespaced",
  hub: "v1",
  status: true,
  versions: [
    { name: "v1", schema: schemaWith("guest") },
    {
      name: "v1beta1",
      schema: schemaWith("visitor"),
      toHub(object: OlderBooking) {
        const { spec, ...rest } = object;
        return { ...rest, spec: { guest: spec.visitor, nights: spec.nights } };
      },
      fromHub({ spec, ...rest }): OlderBooking {
        return { ...rest, spec: { visitor: spec.guest, nights: spec.nights } };
      },
    },
  ],
};

describeApi("a kind of one's own", {
  group: "hotel.example.com",
  version: "v1",
  otherVersions: ["v1beta1"],
  plural: "bookings",
  namespaced: true,
  valid: () => ({ spec: { guest: "ann" } }),
  change: { spec: { nights: 2, guest: "eve" } },
  status: { room: "12" },
  invalid: {
    "a guest without a name": { spec: {} },
    "a guest with too short a name": { spec: { guest: "x" } },
    "no night": { spec: { guest: "ann", nights: 0 } },
  },
  async open() {
    const runtime = testRuntime(1);
    const store = createMemoryStore({ runtime });
    const server = await createApiServer({
      runtime,
      store,
      groups: [{ name: "hotel.example.com", kinds: [bookings] }],
    });
    return {
      transport: createInProcessTransport(server, { user: { name: "ann", groups: ["system:masters"] } }),
      async stop() {
        await server.stop();
        await store.close();
      },
    };
  },
});
