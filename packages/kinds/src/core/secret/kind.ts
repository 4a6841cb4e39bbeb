import { builtInKind } from "../../built-in/built-in-kind.js";
import { secretColumns } from "./columns.js";
import { setSecretDefaults } from "./defaults.js";
import type { StoredSecret } from "./stored.js";
import { checkSecret, checkSecretUpdate } from "./validation.js";
import { secretWarnings } from "./warnings.js";

export type { StoredSecret };

export const secretKind = builtInKind<StoredSecret>("", "v1", "secrets", {
  setDefaults: setSecretDefaults,
  strategy: {
    resetFields: [],
    validateCreate: checkSecret,
    validateUpdate: checkSecretUpdate,
    warningsOnCreate: secretWarnings,
    warningsOnUpdate: secretWarnings,
  },
  views: {},
  columns: secretColumns,
  selectableValues: ({ type }) => ({ type: type ?? "" }),
});
