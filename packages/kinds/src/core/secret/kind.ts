import type { Secret } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { secretColumns } from "./columns.js";
import { setSecretDefaults } from "./defaults.js";
import { checkSecret, checkSecretUpdate } from "./validation.js";

export type StoredSecret = Stored<Secret>;

export const secretKind = builtInKind<StoredSecret>("", "v1", "secrets", {
  setDefaults: setSecretDefaults,
  strategy: { resetFields: [], validateCreate: checkSecret, validateUpdate: checkSecretUpdate },
  views: {},
  columns: secretColumns,
  selectableValues: ({ type }) => ({ type: type ?? "" }),
});
