import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import { connectApi, inParallel } from "../clusters/api.js";
import { allAnswered } from "../contestant.js";
import { firstPath } from "../servers/server.js";
import { namespaces, pod, podsPath, storedPods } from "../workload.js";
import type { Row, Values } from "./row.js";

const getWhat = "GET p99 beside a loop of LISTs of 33 MB (ours: < 50 ms)";
const definitionsWhat = "the same beside 500 applied CustomResourceDefinitions, too (ours: < 50 ms)";
const loopWhat = "event-loop delay p99 beside them";

/** A server of its own, in which a probe measures the event loop. */
export const besideLists: Row = {
  name: "beside-lists",
  topic: "reads",
  figures: [
    { what: getWhat, unit: "ms", better: "less", budget: 1 },
    { what: definitionsWhat, unit: "ms", better: "less", budget: 50, budgetOf: "ours" },
    { what: loopWhat, unit: "ms", better: "less", budget: 1 },
  ],
  async measure(contestant): Promise<Values> {
    const server = await contestant.startAnother({ probed: true });
    try {
      const ask = (method: string, path: string, count: number, body?: string) =>
        contestant.requestsTo(
          server,
          { method, path, headers: { accept: "application/json" }, ...(body === undefined ? {} : { body }) },
          count > 100 && body !== undefined
            ? { connections: 16, inFlightEach: 8, count }
            : { connections: 1, inFlightEach: 1, count },
        );
      allAnswered(
        await ask("POST", "/api/v1/namespaces", 1, JSON.stringify({ metadata: { name: namespaces.pods } })),
        201,
      );
      if (!allAnswered(await ask("POST", podsPath, storedPods, pod()), 201)) return new Map([[getWhat, "not yet"]]);
      await ask("GET", podsPath, 2);
      await ask("GET", firstPath, 500);
      await server.probe?.(); // what came before does not count
      let isOver = false;
      const listOn = async (): Promise<void> => {
        allAnswered(await ask("GET", podsPath, 10), 200);
        if (!isOver) await listOn();
      };
      const listing = listOn();
      const gets = await ask("GET", firstPath, 2_000);
      allAnswered(gets, 200);
      const delay = await server.probe?.();
      const applying = applyDefinitions(server.access, 500, contestant.signal);
      const besideBoth = await ask("GET", firstPath, 2_000);
      allAnswered(besideBoth, 200);
      await applying;
      isOver = true;
      await listing;
      return new Map([
        [getWhat, gets.p99Ms],
        [definitionsWhat, besideBoth.p99Ms],
        ...(delay ? [[loopWhat, delay.delayP99Ms] as const] : []),
      ]);
    } finally {
      await server.stop();
    }
  },
};

/** Four at a time, as an administrator who installs operators. */
async function applyDefinitions(access: ClusterAccess, count: number, signal: AbortSignal): Promise<void> {
  const api = connectApi(access, signal);
  const text = { type: "string" };
  const spec = {
    type: "object",
    properties: { size: { type: "integer" }, owner: text, mode: { ...text, enum: ["a", "b"] } },
  };
  try {
    await inParallel(count, 4, async (index) => {
      const names = { plural: `things${index}`, singular: `thing${index}`, kind: `Thing${index}` };
      const name = `${names.plural}.bench.example.com`;
      const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
      const { status } = await api.send(
        "PATCH",
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}?fieldManager=bench`,
        {
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          metadata: { name },
          spec: {
            group: "bench.example.com",
            names,
            scope: "Namespaced",
            versions: [{ name: "v1", served: true, storage: true, schema }],
          },
        },
        "application/apply-patch+yaml",
      );
      if (status !== 201) throw new Error(`applying ${name} was answered with ${status}`);
    });
  } finally {
    api.close();
  }
}
