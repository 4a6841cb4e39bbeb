import { defineResource } from "@coxswain/operator";

/** A ConfigMap is written on a schedule: what a CronJob is to Jobs, in little. */
export interface Report {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string; namespace?: string; uid?: string; resourceVersion?: string; generation?: number };
  spec: {
    /** As of cron(8), in UTC. */
    schedule: string;
    /** How many ConfigMaps are kept. */
    keep: number;
  };
  status?: { lastScheduleTime?: string; observedGeneration?: number; problem?: string };
}

export const Reports = defineResource<Report>({
  group: "example.com",
  version: "v1",
  kind: "Report",
  resource: "reports",
  scope: "Namespaced",
});

export const reportDefinition = {
  metadata: { name: "reports.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Report", plural: "reports" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["schedule", "keep"],
                properties: { schedule: { type: "string" }, keep: { type: "integer", minimum: 1 } },
              },
              status: {
                type: "object",
                properties: {
                  lastScheduleTime: { type: "string" },
                  observedGeneration: { type: "integer" },
                  problem: { type: "string" },
                },
              },
            },
          },
        },
      },
    ],
  },
};
