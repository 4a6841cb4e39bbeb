import type { CallConversionWebhook } from "@coxswain/kinds/custom-resources";
import type { HookClients } from "../../webhook/hook-clients.js";

/** Posts ConversionReviews to the webhooks of definitions, with upstream's time limit of 30 seconds. */
export const createConversionCaller =
  (clients: HookClients): CallConversionWebhook =>
  async ({ clientConfig = {} }, review) =>
    clients.clientFor(clientConfig).post(review);
