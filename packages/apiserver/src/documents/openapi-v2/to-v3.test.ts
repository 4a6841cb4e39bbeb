import { describe, expect, it } from "vitest";
import { openAPIV3OfV2 } from "./to-v3.js";

describe("a document of OpenAPI 2 in OpenAPI 3", () => {
  it("bodies and answers by media type, schemas of parameters, references beside which nothing stands", () =>
    expect(
      openAPIV3OfV2({
        info: { title: "Fish", version: "1" },
        paths: {
          "/fish": {
            parameters: [{ $ref: "#/parameters/pretty" }],
            post: {
              operationId: "createFish",
              consumes: ["application/json"],
              produces: ["application/json", "application/yaml"],
              parameters: [
                { name: "body", in: "body", schema: { $ref: "#/definitions/Fish" } },
                { name: "dryRun", in: "query", type: "string", uniqueItems: true },
              ],
              responses: {
                200: { description: "OK", schema: { $ref: "#/definitions/Fish" } },
                401: { description: "no" },
              },
            },
          },
        },
        definitions: { Fish: { properties: { fin: { description: "a fin", $ref: "#/definitions/Fin" } } } },
      }),
    ).toEqual({
      openapi: "3.0.0",
      info: { title: "Fish", version: "1" },
      paths: {
        "/fish": {
          parameters: [{ $ref: "#/components/parameters/pretty" }],
          post: {
            operationId: "createFish",
            parameters: [{ name: "dryRun", in: "query", schema: { type: "string", uniqueItems: true } }],
            requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Fish" } } } },
            responses: {
              200: {
                description: "OK",
                content: {
                  "application/json": { schema: { $ref: "#/components/schemas/Fish" } },
                  "application/yaml": { schema: { $ref: "#/components/schemas/Fish" } },
                },
              },
              401: { description: "no" },
            },
          },
        },
      },
      components: {
        schemas: {
          Fish: { properties: { fin: { description: "a fin", allOf: [{ $ref: "#/components/schemas/Fin" }] } } },
        },
      },
    }));
});
