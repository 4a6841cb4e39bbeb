export { generateRoles } from "./rbac.js";
export { generateWebhooks, type GeneratedWebhooks, type WebhookService } from "./webhooks.js";
export { resourcesModule } from "./resources-module.js";
export { resourceVariable } from "./resource-variable.js";
