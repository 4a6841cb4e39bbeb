import type { ComponentStatus } from "@coxswain/api/core/v1";
import type { Cell, ColumnDefinition, ColumnSet } from "@coxswain/kinds";

const column = (name: string, format: string, description: string): ColumnDefinition => ({
  name,
  type: "string",
  format,
  description,
  priority: 0,
});

export const componentStatusColumns: ColumnSet<ComponentStatus> = {
  columns: [
    column("Name", "name", "The component's name."),
    column("Status", "", "Whether it is healthy."),
    column("Message", "", "What the component answered."),
    column("Error", "", "Why it could not be asked."),
  ],
  cells({ metadata, conditions }): Cell[] {
    const condition = conditions?.find(({ type }) => type === "Healthy");
    const status = condition ? (condition.status === "True" ? "Healthy" : "Unhealthy") : "Unknown";
    return [metadata?.name ?? "", status, condition?.message ?? "", condition?.error ?? ""];
  },
};
