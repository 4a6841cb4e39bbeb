import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFlags } from "@coxswain/component/flags";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { type Logger, silentLogger } from "@coxswain/runtime/log";
import { createGrpcServer, type GrpcServer, method, serveUnary } from "@coxswain/wire/grpc";
import { message } from "@coxswain/wire/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticationFlags } from "./authentication-flags.js";
import { connectSigningEndpoint } from "./signing-endpoint.js";

/** The service as its proto file has it, apart from ours. */
const key = message({ key_id: { number: 1, type: "string" }, key: { number: 2, type: "bytes" } });
const timestamp = message({ seconds: { number: 1, type: "int64" } });
const fetchKeys = method(
  "/v1.ExternalJWTSigner/FetchKeys",
  message({}),
  message({
    keys: { number: 1, type: key, repeated: true },
    data_timestamp: { number: 2, type: timestamp },
    refresh_hint_seconds: { number: 3, type: "int64" },
  }),
);
const metadata = method(
  "/v1.ExternalJWTSigner/Metadata",
  message({}),
  message({ max_token_expiration_seconds: { number: 1, type: "int64" } }),
);

describe("--service-account-signing-endpoint", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-signer-"));
  const socket = join(folder, "s.sock");
  let signer: GrpcServer;
  beforeAll(async () => {
    const der = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "der" });
    signer = await createGrpcServer({
      listen: { path: socket },
      methods: [
        serveUnary(fetchKeys, () => ({
          keys: [{ key_id: "k", key: der }],
          data_timestamp: { seconds: 1 },
          refresh_hint_seconds: 60,
        })),
        serveUnary(metadata, () => ({ max_token_expiration_seconds: 7200 })),
      ],
    });
  });
  afterAll(async () => {
    await signer.close();
    rmSync(folder, { recursive: true });
  });
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (text) => void warnings.push(text) };
  const connect = (...args: string[]) => {
    const parsed = parseFlags(authenticationFlags, args);
    if (parsed.kind === "help") throw new Error("no help was asked for");
    return connectSigningEndpoint(parsed.options, systemRuntime({ metrics: createMetrics(), log }));
  };

  const lives = [
    { name: "none: the signer's", args: [], seconds: 7200 },
    { name: "a shorter one: that", args: ["--service-account-max-token-expiration=1h"], seconds: 3600 },
  ];
  for (const { name, args, seconds } of lives) {
    it(`the longest life that was asked for: ${name}`, async () => {
      const endpoint = await connect(`--service-account-signing-endpoint=${socket}`, ...args);
      expect(endpoint.apply({ serviceAccount: { lookup: false } }).serviceAccount).toMatchObject({
        lookup: false,
        maxExpirationSeconds: seconds,
        external: { maxExpirationSeconds: 7200 },
      });
      await endpoint.stop();
      expect(warnings.at(-1)).toContain(seconds < 3607 ? "no token is extended" : "live longer than others");
    });
  }
  it("the longest life that was asked for: one that the signer does not sign", () =>
    expect(
      connect(`--service-account-signing-endpoint=${socket}`, "--service-account-max-token-expiration=3h"),
    ).rejects.toThrow(
      "service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: 3h0m0s > 2h0m0s",
    ));
  it("left out, nothing changes", async () => {
    const options = { serviceAccount: { lookup: true } };
    expect((await connect()).apply(options)).toBe(options);
  });
});
