import type { StoredEndpointSlice } from "./kind.js";

export function setEndpointSliceDefaults({ ports }: StoredEndpointSlice): void {
  for (const port of ports ?? []) {
    port.name ??= "";
    port.protocol ??= "TCP";
  }
}
