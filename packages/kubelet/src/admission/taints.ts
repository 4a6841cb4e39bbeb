import type { Taint, Toleration } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** Pure: whether one of the tolerations covers the taint. An empty key or effect covers all of them. */
export const isTolerated = (taint: DeepReadonly<Taint>, tolerations: readonly DeepReadonly<Toleration>[]): boolean =>
  tolerations.some(
    ({ key, operator, value, effect }) =>
      (!effect || effect === taint.effect) &&
      (!key || key === taint.key) &&
      (operator === "Exists" || ((operator ?? "Equal") === "Equal" && (value ?? "") === (taint.value ?? ""))),
  );
