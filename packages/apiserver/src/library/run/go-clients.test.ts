import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";
import type { ApiGroup } from "../api-group.js";
import { runApiServer } from "./run-api-server.js";

const hotel: ApiGroup = {
  name: "hotel.example.com",
  kinds: [
    {
      kind: "Booking",
      scope: "Namespaced",
      status: true,
      versions: [
        {
          name: "v1",
          schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  guest: { type: "string" },
                  from: { type: "string", format: "date" },
                  nights: { type: "integer", default: 1 },
                },
                "x-kubernetes-validations": [{ rule: "self.guest != 'nobody'", message: "somebody has to come" }],
              },
              status: { type: "object", properties: { room: { type: "string" } } },
            },
          },
        },
      ],
    },
  ],
};

describeWith(
  "client-go and controller-runtime",
  {
    found: cachedOwnProgram("library-clients"),
    missing: "a program made with them (npm run tool -- programs; needs Go)",
    timeout: 120_000,
  },
  (program) => {
    it("use a server that is made with this library as they are", async () => {
      const folder = mkdtempSync(join(tmpdir(), "coxswain-go-clients-"));
      const ending = new AbortController();
      const args = ["--alone", "--bind-address=127.0.0.1", "--secure-port=0", "--log-level=error"];
      let running: Promise<void> | undefined;
      const kubeconfig = await new Promise<string>((resolve, reject) => {
        running = runApiServer({
          groups: [hotel],
          args: [...args, `--data-dir=${folder}/data`, `--cert-dir=${folder}/pki`],
          signal: ending.signal,
          onListening: ({ kubeconfig: file = "" }) => resolve(file),
        });
        running.catch(reject);
      });
      const { code, stdout, stderr } = await runProgram(program, ["--kubeconfig", kubeconfig]);
      ending.abort();
      await running;
      rmSync(folder, { recursive: true });
      if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
      expect(stdout.trim().split("\n")).toEqual([
        "client-go maps kinds to resources by discovery",
        "client-go reads OpenAPI",
        "client-go creates, reads, updates, patches, applies and deletes",
        "client-go lists in pages",
        "an informer of client-go follows",
        "a reconciler of controller-runtime sets statuses",
      ]);
    });
  },
);
