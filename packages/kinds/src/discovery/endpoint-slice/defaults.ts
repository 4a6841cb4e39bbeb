import type { StoredEndpointSlice } from "./stored.js";

export function setEndpointSliceDefaults({ ports }: StoredEndpointSlice): void {
  for (const port of ports ?? []) {
    port.name ??= "";
    port.protocol ??= "TCP";
  }
}
