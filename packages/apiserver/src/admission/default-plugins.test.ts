import { systemClock } from "@coxswain/apimachinery/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/api-server.js";

const start = (admissionPlugins: { enabled?: string[]; disabled?: string[] }): Promise<ApiServer> =>
  startApiServer({ store: createMemoryStore({ clock: systemClock }), clock: systemClock, admissionPlugins });

describe("admission plugins that this server does not have yet", () => {
  it("can be switched off, as flags of existing clusters do", async () => {
    const server = await start({ disabled: ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"] });
    await server.stop();
  });

  it("cannot be switched on", async () => {
    await expect(start({ enabled: ["ValidatingAdmissionWebhook"] })).rejects.toThrow(
      'admission plugin "ValidatingAdmissionWebhook" cannot be enabled: this server does not have it yet',
    );
  });
});
