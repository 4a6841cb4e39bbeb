import { builtInKind } from "../../built-in/built-in-kind.js";
import { nameAndAgeColumns } from "../../definition/name-and-age-columns.js";
import { claimDefaults } from "../device-claim/defaults.js";
import { deviceGates, dropDisabledDeviceFields } from "../disabled-fields.js";
import type { StoredResourceClaimTemplate } from "./stored.js";
import { checkResourceClaimTemplate, checkResourceClaimTemplateUpdate } from "./validation.js";

export type { StoredResourceClaimTemplate };

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
