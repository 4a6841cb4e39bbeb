import type { ResourceClaimTemplate } from "@coxswain/api/resource/v1";
import { builtInKind } from "../../built-in-kind.js";
import { nameAndAgeColumns } from "../../name-and-age-columns.js";
import type { Stored } from "../../stored.js";
import { claimDefaults } from "../device-claim/defaults.js";
import { deviceGates, dropDisabledDeviceFields } from "../disabled-fields.js";
import { checkResourceClaimTemplate, checkResourceClaimTemplateUpdate } from "./validation.js";

export type StoredResourceClaimTemplate = Stored<ResourceClaimTemplate, "spec">;

export const resourceClaimTemplateKind = builtInKind<StoredResourceClaimTemplate>(
  "resource.k8s.io",
  "v1",
  "resourceclaimtemplates",
  {
    ownGates: deviceGates,
    typeDefaults: claimDefaults,
    strategy: {
      resetFields: [],
      prepareForCreate: (template, context) =>
        dropDisabledDeviceFields("ResourceClaimTemplate", template, undefined, context),
      validateCreate: checkResourceClaimTemplate,
      prepareForUpdate: (template, old, context) =>
        dropDisabledDeviceFields("ResourceClaimTemplate", template, old, context),
      validateUpdate: checkResourceClaimTemplateUpdate,
    },
    views: {},
    returnsDeletedObject: true,
    columns: nameAndAgeColumns,
  },
);
