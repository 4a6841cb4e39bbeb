import { describeApi } from "@coxswain/apiserver/describe-api";
import { createApiServer, createInProcessTransport } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { hotel } from "./bookings.js";

async function open() {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const server = await createApiServer({ groups: [hotel], store });
  const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
  return { transport, stop: () => server.stop() };
}

const booking = (spec: object) => ({ spec: { guest: "ann", from: "2026-12-24", ...spec } });

// What kubectl, client-go and controllers rely on.
describeApi("bookings", {
  open,
  group: "hotel.example.com",
  version: "v1",
  plural: "bookings",
  namespaced: true,
  valid: () => booking({}),
  change: { spec: { guest: "eve", nights: 2 } },
  status: { room: "12" },
  invalid: {
    "no guest": booking({ guest: "" }),
    "too long": booking({ nights: 31 }),
    "no date": booking({ from: "tomorrow" }),
    "a rule in CEL": booking({ guest: "nobody" }),
  },
});

it("the strategy refuses and warns", async () => {
  const { transport, stop } = await open();
  const path = "/apis/hotel.example.com/v1/namespaces/default/bookings";
  const value = {
    apiVersion: "hotel.example.com/v1",
    kind: "Booking",
    metadata: { name: "a" },
    ...booking({ nights: 20 }),
  };
  const created = await transport.send({ method: "POST", path, body: { as: "value", value } });
  expect(created.warnings).toEqual(["long stays are confirmed by telephone"]);
  const moved = await transport.send({
    method: "PATCH",
    path: `${path}/a`,
    body: { as: "value", value: { spec: { from: "2027-01-01" } }, contentType: "application/merge-patch+json" },
  });
  expect(((await moved.value()) as { message: string }).message).toBe(
    'Booking.hotel.example.com "a" is invalid: spec.from: Invalid value: "2027-01-01": is fixed: cancel the booking and make another',
  );
  await stop();
});
