import type { PodTemplate } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { podSpecDefaults } from "../pod-spec/defaults.js";
import { podTemplateColumns } from "./columns.js";
import { podTemplateStrategy } from "./strategy.js";

export type StoredPodTemplate = Stored<PodTemplate, "template">;

export const podTemplateKind = builtInKind<StoredPodTemplate>("", "v1", "podtemplates", {
  typeDefaults: podSpecDefaults,
  strategy: podTemplateStrategy,
  views: {},
  columns: podTemplateColumns,
  returnsDeletedObject: true,
});
