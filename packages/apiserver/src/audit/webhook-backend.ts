import type { WebhookClient } from "../webhook/webhook-client.js";
import type { AuditBackend, OnLost } from "./audit-backend.js";
import { itemJson } from "./audit-event.js";

/** Sends events to a service as an EventList; the client tries again whatever goes wrong. */
export function createWebhookBackend(client: WebhookClient, onLost: OnLost): AuditBackend {
  return {
    async process(events) {
      try {
        await client.post(
          `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events.map(itemJson).join(",")}]}\n`,
        );
        return true;
      } catch (err) {
        onLost("webhook", err, events);
        return false;
      }
    },
    stop() {
      client.stop();
      return Promise.resolve();
    },
  };
}
