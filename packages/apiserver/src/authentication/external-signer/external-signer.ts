import type { Runtime } from "@coxswain/runtime";
import { createGrpcClient } from "@coxswain/wire/grpc";
import { claimsPart, type JwtClaims } from "@coxswain/wire/jwt";
import type { TokenKeys } from "../token-keys.js";
import { whyOf } from "./call-outcome.js";
import { checkSignedHeader } from "./check-signed-header.js";
import { followExternalKeys } from "./external-keys.js";
import { readFetchedKeys } from "./read-fetched-keys.js";
import { signerMethods } from "./rpc.js";
import { createSignerMetrics } from "./signer-metrics.js";

export interface ExternalSignerOptions {
  /** A path, or the name of an abstract socket after an `@`. */
  readonly socket: string;
  readonly runtime: Runtime;
}

/** Signs tokens of service accounts in another process, which keeps the keys to itself. */
export interface ExternalSigner extends TokenKeys {
  /** It signs no token that lives longer. */
  readonly maxExpirationSeconds: number;
  stop(): Promise<void>;
}

/** Of keys, at the start and later, and of signatures. A signer that is not there is waited for. */
const callMs = 60_000;
const metadataMs = 10_000;
const shortestLifeSeconds = 600;

/** Rejects when the signer does not answer as one should within a minute. */
export async function connectExternalSigner({ socket, runtime }: ExternalSignerOptions): Promise<ExternalSigner> {
  const { clock, random, metrics } = runtime;
  const client = createGrpcClient({
    endpoints: [`unix:${socket.startsWith("@") ? `\0${socket.slice(1)}` : socket}`],
    clock,
    random,
  });
  const signer = createSignerMetrics(metrics, clock);
  const call: typeof client.unary = (method, request, options) =>
    signer.call(method.path, () => client.unary(method, request, { timeoutMs: callMs, patient: true, ...options }));
  try {
    const fetch = async () => readFetchedKeys(await call(signerMethods.fetchKeys, {}));
    const keys = await followExternalKeys({ fetch, runtime, metrics: signer });
    const { maxTokenExpirationSeconds } = await call(signerMethods.metadata, {}, { timeoutMs: metadataMs });
    if (maxTokenExpirationSeconds < shortestLifeSeconds)
      throw new Error(
        `max token life supported by external-jwt-signer (${maxTokenExpirationSeconds}s) is less than acceptable (min ${shortestLifeSeconds}s)`,
      );
    const sign = async (claims: JwtClaims): Promise<string> => {
      const payload = claimsPart(claims);
      const { header, signature } = await call(signerMethods.sign, { claims: payload }).catch((err: unknown) => {
        throw new Error(`while signing jwt: ${whyOf(err)}`, { cause: err });
      });
      await checkSignedHeader(header, keys);
      if (signature === "") throw new Error("empty signature returned");
      return `${header}.${payload}.${signature}`;
    };
    return {
      ...keys,
      maxExpirationSeconds: maxTokenExpirationSeconds,
      async sign(claims) {
        try {
          const token = await sign(claims);
          signer.signed();
          return token;
        } catch (error) {
          signer.signed((error as Error).cause ?? error);
          throw error;
        }
      },
      async stop() {
        keys.stop();
        await client.close();
      },
    };
  } catch (err) {
    await client.close();
    throw new Error(`while setting up external-jwt-signer: ${whyOf(err)}`, { cause: err });
  }
}
