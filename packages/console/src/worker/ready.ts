import type { Runtime } from "@coxswain/runtime";
import type { TableStore } from "./table-store.js";

/** Resolves once a store has its first rows, or knows why it has none; at the latest after five seconds. */
export const readyOf =
  ({ clock }: Runtime) =>
  (store: TableStore): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        if (store.status === "loading" && !store.problem) return;
        finish();
      };
      const finish = (): void => {
        timer.cancel();
        unlisten();
        resolve();
      };
      const timer = clock.setTimer(5000, () => finish());
      const unlisten = store.listen(done);
      done();
    });
