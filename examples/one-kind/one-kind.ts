import { createApiServer, createInProcessClient } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";

const spec = {
  type: "object",
  required: ["guest"],
  properties: { guest: { type: "string" }, nights: { type: "integer", minimum: 1, default: 1 } },
};
const bookings = {
  kind: "Booking",
  scope: "Namespaced" as const,
  columns: [{ name: "Guest", type: "string", jsonPath: ".spec.guest" }],
  versions: [{ name: "v1", schema: { type: "object", required: ["spec"], properties: { spec } } }],
};
export const startServer = () =>
  createApiServer({
    groups: [{ name: "hotel.example.com", kinds: [bookings] }],
    store: createMemoryStore({ runtime: systemRuntime() }),
  });
const client = createInProcessClient(await startServer(), { user: { name: "me", groups: ["system:masters"] } });
const path = "/apis/hotel.example.com/v1/namespaces/default/bookings";
await client.request({ method: "POST", path, body: { metadata: { name: "one" }, spec: { guest: "Ann" } } });
