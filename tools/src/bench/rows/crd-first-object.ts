import { connectApi } from "../clusters/api.js";
import { definitionsPath, smallDefinition, thing, thingsPath } from "../custom-resources.js";
import { median } from "../median.js";
import type { Row } from "./row.js";

const what = "CustomResourceDefinition to its first accepted object";
const definitions = 9;

/** As a tutorial has it: create the definition, then the object, again and again until it is taken. */
export const crdFirstObject: Row = {
  name: "crd-first-object",
  topic: "custom-resources",
  figures: [{ what, unit: "ms", better: "less", budget: 1 / 10 }],
  async measure(contestant) {
    const server = await contestant.startAnother();
    const api = connectApi(server.access, contestant.signal);
    try {
      const times: number[] = [];
      // The first one warms the connection and is not counted.
      for (let at = 0; at <= definitions; at++) {
        const group = `first${at}.example.com`;
        const began = performance.now();
        await api.create(definitionsPath, smallDefinition(group));
        while ((await api.send("POST", thingsPath(group), thing(group))).status !== 201);
        if (at > 0) times.push(performance.now() - began);
      }
      return new Map([[what, median(times) as number]]);
    } finally {
      api.close();
      await server.stop();
    }
  },
};
