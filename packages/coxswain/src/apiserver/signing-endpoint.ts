import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { AuthenticationOptions } from "@coxswain/apiserver";
import type { ExternalSigner } from "@coxswain/apiserver/external-signer";
import type { Runtime } from "@coxswain/runtime";
import type { AuthenticationFlagOptions } from "./authentication-flags.js";

/** Somebody outside who signs service account tokens. */
export interface SigningEndpoint {
  /** The same options, but for what the signer decides. */
  apply(options: AuthenticationOptions): AuthenticationOptions;
  stop(): Promise<void>;
}

const abstractName = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;
const yearMs = 365 * 24 * 3_600_000;
const renewedMs = 3_607_000;

/** @throws when flags do not fit together */
export function checkSigningEndpoint({
  serviceAccountSigningEndpoint: socket = "",
  serviceAccountSigningKeyFile: signing = "",
  serviceAccountKeyFile: keys,
}: AuthenticationFlagOptions): void {
  if (socket === "") return;
  if (signing !== "" || keys.length > 0)
    throw new Error(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    );
  if (socket.startsWith("@") && !abstractName.test(socket))
    throw new Error(
      `invalid value ${JSON.stringify(socket)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
    );
  // libuv before 1.48 knows such names only at their full length, so that it meets nobody but itself.
  if (socket.startsWith("@") && process.versions.uv.localeCompare("1.48", "en", { numeric: true }) < 0)
    throw new Error(
      `--service-account-signing-endpoint=${socket} is an abstract socket, which needs Node 22 or later; name a path`,
    );
}

/** Asks the signer, where there is one, for its keys and for how long its tokens may live. Rejects when it does not answer, or allows too little. */
export async function connectSigningEndpoint(
  options: AuthenticationFlagOptions,
  runtime: Runtime,
): Promise<SigningEndpoint> {
  const {
    serviceAccountSigningEndpoint: socket = "",
    serviceAccountMaxTokenExpiration: askedMs,
    serviceAccountExtendTokenExpiration: extend,
  } = options;
  const signer = socket === "" ? undefined : await connect(socket, runtime);
  const signerMs = signer && signer.maxExpirationSeconds * 1000;
  const mostMs = askedMs === 0 ? signerMs : askedMs;
  if (signerMs !== undefined && askedMs > signerMs) {
    await signer?.stop();
    throw new Error(
      `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${formatDurationMs(askedMs)} > ${formatDurationMs(signerMs)}`,
    );
  }
  if (extend && mostMs !== undefined && mostMs < yearMs)
    runtime.log.warn(
      mostMs < renewedMs
        ? "no token is extended: kubelets ask for more than the longest life of tokens"
        : "tokens that kubelets ask for live longer than others, up to a year or as long as their signer allows",
      { longestLife: formatDurationMs(mostMs) },
    );
  return {
    apply: (from) =>
      signer
        ? {
            ...from,
            serviceAccount: {
              ...from.serviceAccount,
              external: signer,
              maxExpirationSeconds: Math.floor((mostMs ?? 0) / 1000),
            },
          }
        : from,
    stop: async () => signer?.stop(),
  };
}

/** Most servers sign themselves, and load nothing for it. */
async function connect(socket: string, runtime: Runtime): Promise<ExternalSigner> {
  const { connectExternalSigner } = await import("@coxswain/apiserver/external-signer");
  return connectExternalSigner({ socket, runtime });
}
