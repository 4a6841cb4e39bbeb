import { Button } from "./button.js";
import { setParams } from "./route.js";

/** A revision that leads to the past. */
export const MomentButton = ({ revision }: { readonly revision: string }) => (
  <Button class="quiet" title="See the cluster as it was then" onClick={() => setParams({ at: revision, tab: "" })}>
    r{revision}
  </Button>
);
