import type { JsonObject } from "../../record/index.js";
import { type Defined, definitionsPath } from "./definition.js";
import type { Scene } from "./story.js";

/** Creates the definition and the namespace, and waits until every version is served and no controller writes any more. */
export function defineScenes({ definition, name, group, versions, namespace, collection }: Defined): Scene[] {
  const own = `${definitionsPath}/${name}`;
  return [
    {
      asks: [
        ...(namespace === undefined
          ? []
          : [
              {
                sentence: "create the namespace",
                method: "POST" as const,
                path: "/api/v1/namespaces",
                body: { metadata: { name: namespace } },
              },
            ]),
        { sentence: "define", method: "POST", path: definitionsPath, body: definition },
      ],
    },
    ...versions.map(
      (version): Scene => ({
        wait: { sentence: "is served", method: "GET", path: collection(version) },
        until: (status) => status === 200,
      }),
    ),
    {
      wait: { sentence: "is established", method: "GET", path: own },
      until: (_, body) => conditionsOf(body as JsonObject).includes("Established"),
      quiet: true,
    },
    {
      asks: [
        { sentence: "read the definition", method: "GET", path: own, keep: "definition" },
        {
          sentence: "read the definition as a table",
          method: "GET",
          path: own,
          accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
        },
        ...versions.map((version) => ({
          sentence: `discover ${version}`,
          method: "GET" as const,
          path: `/apis/${group}/${version}`,
        })),
      ],
    },
    {
      wait: { sentence: "is documented", method: "GET", path: `/openapi/v3/apis/${group}/v1` },
      until: (status) => status === 200,
    },
    { asks: [{ sentence: "explain", method: "GET", path: `/openapi/v3/apis/${group}/v1` }] },
  ];
}

const conditionsOf = (definition: JsonObject | undefined): unknown[] =>
  (((definition?.["status"] as JsonObject | undefined)?.["conditions"] ?? []) as JsonObject[])
    .filter(({ status }) => status === "True")
    .map(({ type }) => type);

/** Deletes the definition and waits until nothing of it is left. */
export function forgetScenes({ name, collection }: Defined): Scene[] {
  const own = `${definitionsPath}/${name}`;
  return [
    { asks: [{ sentence: "delete the definition", method: "DELETE", path: own }] },
    { wait: { sentence: "is gone", method: "GET", path: own }, until: (status) => status === 404 },
    { wait: { sentence: "is not served", method: "GET", path: collection() }, until: (status) => status === 404 },
    {
      asks: [
        { sentence: "list what is gone", method: "GET", path: collection() },
        { sentence: "create what is gone", method: "POST", path: collection(), body: {} },
      ],
    },
  ];
}
