import { readFileSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import {
  answerOf,
  attackConfiguration,
  attackIssuer,
  attackTokens,
  makeAttacks,
  type SendAttack,
} from "@coxswain/tools/attacks";
import { signingKey } from "@coxswain/wire/jwt";
import { expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { readAuthenticationConfiguration } from "./jwt/authentication-configuration.js";

/** What we do not answer as kube-apiserver does, each with its reason. A gap that has closed fails the test. */
const knownGaps: Readonly<Record<string, string>> = {};

const { answers: recorded } = JSON.parse(
  readFileSync(new URL("../../testdata/attacks/attacks.json", import.meta.url), "utf8"),
) as { answers: Record<string, object> };

it("what attackers try is answered as recorded from kube-apiserver", { timeout: 60_000 }, async () => {
  const key = signingKey();
  const { anonymous } = readAuthenticationConfiguration(attackConfiguration, []);
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    authentication: {
      tokenFile: attackTokens,
      serviceAccount: {
        signingKey: key.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
        issuers: [attackIssuer],
      },
      ...(anonymous ? { anonymous } : {}),
    },
  });
  const ask = createByteRequester(server, undefined);
  const send: SendAttack = async ({ method, path, headers, body }) => {
    const answer = await ask({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, body: Buffer.concat(chunks).toString() };
  };
  const differences: Record<string, object> = {};
  const attacks = await makeAttacks(send, key);
  expect(attacks.map(({ name }) => name)).toEqual(Object.keys(recorded));
  for (const attack of attacks) {
    const ours = answerOf(await send(attack));
    if (JSON.stringify(ours) !== JSON.stringify(recorded[attack.name]))
      differences[attack.name] = { want: recorded[attack.name], got: ours };
  }
  await server.stop();
  expect(Object.fromEntries(Object.entries(differences).filter(([name]) => !Object.hasOwn(knownGaps, name)))).toEqual(
    {},
  );
  expect(
    Object.keys(knownGaps).filter((name) => !Object.hasOwn(differences, name)),
    "these are answered as recorded now: delete their gaps",
  ).toEqual([]);
});
