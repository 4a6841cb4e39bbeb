import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  QueuingConfiguration,
} from "@coxswain/api/flowcontrol/v1";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration, keep } from "../../definition/keep.js";
import { statusView } from "../status-view.js";
import { priorityLevelConfigurationColumns } from "./columns.js";
import type { StoredPriorityLevelConfiguration } from "./stored.js";
import { checkPriorityLevelConfiguration } from "./validation.js";

export type { StoredPriorityLevelConfiguration };

export const priorityLevelConfigurationKind = builtInKind<StoredPriorityLevelConfiguration>(
  "flowcontrol.apiserver.k8s.io",
  "v1",
  "prioritylevelconfigurations",
  {
    typeDefaults: {
      "io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration": (exempt: ExemptPriorityLevelConfiguration) => {
        exempt.nominalConcurrencyShares ??= 0;
        exempt.lendablePercent ??= 0;
      },
      "io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration": (limited: LimitedPriorityLevelConfiguration) => {
        limited.nominalConcurrencyShares ??= 30;
        limited.lendablePercent ??= 0;
      },
      "io.k8s.api.flowcontrol.v1.QueuingConfiguration": (queuing: QueuingConfiguration) => {
        queuing.handSize ||= 8;
        queuing.queues ||= 64;
        queuing.queueLengthLimit ||= 50;
      },
    },
    strategy: {
      resetFields: [["status"]],
      prepareForCreate(level) {
        level.status = {};
        level.metadata.generation = 1;
      },
      validateCreate: checkPriorityLevelConfiguration,
      prepareForUpdate(level, old) {
        countGeneration(level, old, "spec");
        keep(level, old, "status");
      },
      validateUpdate: checkPriorityLevelConfiguration,
    },
    views: { status: statusView<StoredPriorityLevelConfiguration>() },
    columns: priorityLevelConfigurationColumns,
  },
);
