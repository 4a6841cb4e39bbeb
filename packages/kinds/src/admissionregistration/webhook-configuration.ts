import type { DeepReadonly } from "@coxswain/api";
import type { KindBehaviour } from "../built-in/built-in-kind.js";
import { age } from "../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../definition/columns.js";
import { countStrictGeneration } from "../definition/keep.js";
import { admissionTypeDefaults } from "./defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "./reserved-name.js";
import type { StoredWebhookConfiguration } from "./stored-webhook-configuration.js";
import { checkWebhookConfiguration, checkWebhookConfigurationUpdate } from "./webhook-validation.js";

const webhookColumns: ColumnSet<StoredWebhookConfiguration> = {
  columns: [nameColumn, column("Webhooks", "integer", "How many webhooks it lists."), ageColumn],
  cells: ({ metadata, webhooks = [] }: DeepReadonly<StoredWebhookConfiguration>, now) => [
    metadata.name ?? "",
    webhooks.length,
    age(metadata.creationTimestamp, now),
  ],
};

export const webhookConfigurationBehaviour: KindBehaviour<StoredWebhookConfiguration> = {
  typeDefaults: admissionTypeDefaults,
  strategy: {
    resetFields: [],
    prepareForCreate(configuration) {
      configuration.metadata.generation = 1;
    },
    *validateCreate(configuration, context) {
      const errors = yield* checkWebhookConfiguration(configuration, context);
      return [...errors, ...checkNameIsFree(configuration, context)];
    },
    warningsOnCreate: reservedNameWarningsOfNew,
    prepareForUpdate: (configuration, old) => countStrictGeneration(configuration, old, "webhooks"),
    validateUpdate: checkWebhookConfigurationUpdate,
    warningsOnUpdate: reservedNameWarnings,
    allowUnconditionalUpdate: false,
  },
  views: {},
  columns: webhookColumns,
};
