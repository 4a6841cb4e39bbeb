import { builtInKind } from "../../built-in/built-in-kind.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { podTemplateColumns } from "./columns.js";
import type { StoredPodTemplate } from "./stored.js";
import { podTemplateStrategy } from "./strategy.js";

export type { StoredPodTemplate };

export const podTemplateKind = builtInKind<StoredPodTemplate>("", "v1", "podtemplates", {
  typeDefaults: podSpecDefaults,
  strategy: podTemplateStrategy,
  views: {},
  columns: podTemplateColumns,
  returnsDeletedObject: true,
});
