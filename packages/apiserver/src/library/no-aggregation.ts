import type { Aggregation } from "../aggregation/create-aggregation.js";

/** A server of one's own has no API servers behind it. */
export const noAggregation: Pick<Aggregation, "registered" | "openApi" | "paths"> = {
  registered: { generation: 0, ranked: () => [], remote: () => [] },
  openApi: { generation: 0, v3: () => new Map(), v2: () => [] },
  paths: () => undefined,
};
