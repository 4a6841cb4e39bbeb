import { execFile } from "node:child_process";
import { join } from "node:path";
import { ownEntries } from "@coxswain/apimachinery/own";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { CredentialProvider } from "./credential-provider-config.js";
import type { RegistryCredential } from "./docker-config.js";

/** What a provider is asked. */
export interface ProviderRequest {
  /** Without tag and digest. */
  readonly image: string;
  readonly serviceAccountToken?: string;
  readonly serviceAccountAnnotations?: Readonly<Record<string, string>>;
}

/** What it answered. */
export interface ProviderResponse {
  readonly cacheKeyType: "Image" | "Registry" | "Global";
  /** Undefined: the configured duration. */
  readonly cacheMs: number | undefined;
  readonly credentials: readonly RegistryCredential[];
}

export type RunProvider = (provider: CredentialProvider, request: ProviderRequest) => Promise<ProviderResponse>;

/** Upstream's for all plugins. */
const timeoutMs = 60_000;
/** An answer is some credentials. */
const maxBytes = 1024 * 1024;

/** Runs a provider's program: the request on its input, the answer on its output (upstream's `ExecPlugin`). What it prints never appears in an error but for its error stream. */
export const createProviderRunner =
  (directory: string): RunProvider =>
  async (provider, request) => {
    const body = { kind: "CredentialProviderRequest", apiVersion: provider.apiVersion, ...request };
    return readResponse(provider, await runProgram(join(directory, provider.name), provider, JSON.stringify(body)));
  };

function runProgram(path: string, { name, args = [], env = [] }: CredentialProvider, input: string): Promise<string> {
  const { image } = JSON.parse(input) as ProviderRequest;
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      maxBuffer: maxBytes,
      killSignal: "SIGKILL" as const,
      env: { ...process.env, ...Object.fromEntries(env.map((each) => [each.name, each.value])) },
    };
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const why = error.killed ? "context deadline exceeded" : `exit status ${error.code}`;
      reject(new Error(`error execing credential provider plugin ${name} for image ${image}: ${why}: ${stderr}`));
    });
    child.stdin?.on("error", () => {}); // one that does not read its input may still answer
    child.stdin?.end(input);
  });
}

/** @throws Error without any of the answer's words: they may be credentials */
export function readResponse({ apiVersion }: CredentialProvider, text: string): ProviderResponse {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error("error decoding credential provider plugin response from stdout");
  }
  if (value["apiVersion"] !== apiVersion)
    throw new Error(
      `apiVersion from credential plugin response did not match expected apiVersion:${apiVersion}, actual apiVersion:${String(value["apiVersion"])}`,
    );
  const { kind, cacheKeyType, cacheDuration, auth } = value;
  const cacheMs = typeof cacheDuration === "string" ? parseDurationMs(cacheDuration) : undefined;
  const isWhole =
    kind === "CredentialProviderResponse" &&
    (cacheDuration === undefined || cacheDuration === null || cacheMs !== undefined) &&
    typeof (auth ?? {}) === "object";
  if (!isWhole) throw new Error("error decoding credential provider plugin response from stdout");
  if (cacheKeyType !== "Image" && cacheKeyType !== "Registry" && cacheKeyType !== "Global")
    throw new Error(`credential provider plugin did not return a valid cacheKeyType: ${String(cacheKeyType)}`);
  const credentials = ownEntries((auth ?? {}) as Record<string, { username?: string; password?: string } | null>).map(
    ([place, entry]) => ({
      place,
      auth: { username: String(entry?.username ?? ""), password: String(entry?.password ?? "") },
    }),
  );
  return { cacheKeyType, cacheMs, credentials };
}
