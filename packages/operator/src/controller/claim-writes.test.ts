import type { RestClient } from "@coxswain/client";
import type { TransportRequest } from "@coxswain/client/transport";
import { describe, expect, it } from "vitest";
import { claimOf, withClaim } from "./claim-writes.js";

const cause = (resourceVersion: string) => ({ kind: "Widget", namespace: "shop", name: "a", resourceVersion });

describe("what a reconciler's writes claim as their cause", () => {
  const cases = [
    {
      name: "queue, object and revisions",
      namespace: "shop",
      causes: [cause("7"), cause("9")],
      claim: "widgets shop/a 7,9",
    },
    { name: "a cluster-wide object", namespace: "", causes: [cause("7")], claim: "widgets a 7" },
    { name: "nothing woke it: no revision", namespace: "shop", causes: [], claim: "widgets shop/a " },
  ];
  for (const { name, namespace, causes, claim } of cases)
    it(name, () => {
      const request = { namespace, name: "a", causes, retries: 0 } as unknown as Parameters<
        typeof claimOf
      >[0]["request"];
      expect(claimOf({ controller: "widgets", request })).toBe(claim);
    });

  it("writes carry it, reads do not", async () => {
    const sent: (string | undefined)[] = [];
    const take = async ({ method, headers }: TransportRequest) =>
      void sent.push(`${method} ${headers?.["coxswain-cause"] ?? "-"} ${headers?.["x"] ?? "-"}`);
    const rest = withClaim({ send: take, open: take } as unknown as RestClient, "widgets shop/a 7");
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const)
      await rest.send({ method, path: "/api", headers: { x: "1" } } as unknown as TransportRequest);
    await rest.open({ method: "POST", path: "/api" } as unknown as TransportRequest);
    expect(sent).toEqual([
      "GET - 1",
      "HEAD - 1",
      ...["POST", "PUT", "PATCH", "DELETE"].map((method) => `${method} widgets shop/a 7 1`),
      "POST widgets shop/a 7 -",
    ]);
  });
});
