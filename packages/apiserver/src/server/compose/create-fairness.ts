import type { FlowSchema, PriorityLevelConfiguration } from "@coxswain/api/flowcontrol/v1";
import type { PathSource } from "../../endpoints/paths/path-source.js";
import type { InFlightLimits } from "../../filters/limit-in-flight.js";
import type { FairnessLimits } from "../../filters/request-seats.js";
import { createDumpPages } from "../../flow-control/dump-pages.js";
import { FlowControl, type FlowControlDeps } from "../../flow-control/flow-control.js";
import { addReadWriteMetrics } from "../../flow-control/utilization-metrics.js";
import { bootstrapFlowControl } from "../../registry/flow-control/bootstrap-flow-control.js";
import { mandatoryNames } from "../../registry/flow-control/plan-revision.js";
import type { LimitOptions } from "../requests/limit-options.js";

export interface Fairness {
  /** For the filter; undefined: it is off. */
  readonly limits: FairnessLimits | undefined;
  readonly pages: PathSource;
  stop(): void;
}

/** Priority and fairness by the server's options. Its seats are the sum of the limits of reads and writes. */
export function createFairness(options: LimitOptions, deps: FlowControlDeps, inFlight: InFlightLimits): Fairness {
  if (options.priorityAndFairness === false) return { limits: undefined, pages: () => undefined, stop: () => {} };
  const serverSeats = (options.maxRequestsInFlight ?? 400) + (options.maxMutatingRequestsInFlight ?? 200);
  const mandatory = bootstrapFlowControl(0).filter(({ metadata }) => mandatoryNames.has(metadata.name ?? ""));
  const control = new FlowControl(
    {
      serverSeats,
      requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
      mandatory: {
        levels: mandatory.filter(({ kind }) => kind === "PriorityLevelConfiguration") as PriorityLevelConfiguration[],
        schemas: mandatory.filter(({ kind }) => kind === "FlowSchema") as FlowSchema[],
      },
    },
    deps,
  );
  addReadWriteMetrics(deps.runtime.metrics, {
    priorities: control.priorities,
    serverSeats,
    executing: { readOnly: inFlight.readOnly.atOnce, mutating: inFlight.mutating.atOnce },
    waiting: control.waiting,
  });
  return {
    limits: {
      control,
      readOnly: inFlight.readOnly.atOnce,
      mutating: inFlight.mutating.atOnce,
      onRefused: (context) => inFlight.onRefused?.(context),
    },
    pages: createDumpPages(control.priorities, control.clock),
    stop: () => control.stop(),
  };
}
