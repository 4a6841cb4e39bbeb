import { setParams } from "./route.js";

/** A revision that leads to the past. */
export const MomentButton = ({ revision }: { readonly revision: string }) => (
  <button
    type="button"
    class="quiet"
    title="See the cluster as it was then"
    onClick={() => setParams({ at: revision, tab: "" })}
  >
    r{revision}
  </button>
);
