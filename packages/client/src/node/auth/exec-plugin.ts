import { spawn } from "node:child_process";
import type { Clock } from "@coxswain/runtime/clock";
import type { ExecConfig } from "../../kubeconfig/index.js";
import type { Identity, IdentitySource } from "./identity.js";

/** What the program may be given about the cluster, as `spec.cluster` of an ExecCredential. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64 of PEM. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly config?: unknown;
}

export interface ExecPluginOptions {
  readonly clock: Clock;
  readonly cluster: () => Promise<ExecCluster>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person can be asked on standard input. */
  readonly isTerminal: () => boolean;
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

/** Runs a program for credentials, and again when they expire or the server refuses them. Never twice at once: it may ask a person. */
export function execIdentity(config: ExecConfig, options: ExecPluginOptions): IdentitySource {
  let known: { identity: Identity; expiresAt: number } | undefined;
  let running: Promise<Identity> | undefined;
  const refresh = (): Promise<Identity> => {
    running ??= (async () => {
      try {
        const credential = parseCredential(await runPlugin(config, options), config);
        known = identityOf(credential, config.command);
        return known.identity;
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
  return {
    current: () => (known !== undefined && options.clock.now() <= known.expiresAt ? known.identity : refresh()),
    async renew(used) {
      // Somebody else may have renewed it meanwhile.
      if (known !== undefined && known.identity !== used) return true;
      await refresh();
      return true;
    },
  };
}

async function runPlugin(config: ExecConfig, options: ExecPluginOptions): Promise<string> {
  const interactive = isInteractive(config, options.isTerminal());
  const spec = { ...(config.provideClusterInfo && { cluster: await options.cluster() }), interactive };
  const request = { kind: "ExecCredential", apiVersion: config.apiVersion, spec };
  return new Promise((resolve, reject) => {
    const child = spawn(config.command, config.args ?? [], {
      env: { ...options.environment, ...config.env, KUBERNETES_EXEC_INFO: JSON.stringify(request) },
      // What it prints for people goes to standard error.
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
      windowsHide: true,
    });
    const parts: Buffer[] = [];
    child.stdout?.on("data", (part: Buffer) => void parts.push(part));
    child.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new Error(
          cause.code === "ENOENT"
            ? `the credential plugin ${config.command} was not found${config.installHint ? `\n\n${printable(config.installHint)}` : ""}`
            : `the credential plugin ${config.command} could not be run: ${cause.message}`,
          { cause },
        ),
      ),
    );
    child.once("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(parts).toString("utf8"));
      else reject(new Error(`the credential plugin ${config.command} failed with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function isInteractive({ interactiveMode, command }: ExecConfig, isTerminal: boolean): boolean {
  if (interactiveMode === "Never") return false;
  if (interactiveMode === "Always" && !isTerminal)
    throw new Error(`the credential plugin ${command} must ask a person, and standard input is not a terminal`);
  return isTerminal;
}

function parseCredential(output: string, { apiVersion, command }: ExecConfig): ExecCredential {
  let credential: ExecCredential;
  try {
    credential = JSON.parse(output) as ExecCredential;
  } catch (cause) {
    throw new Error(`the credential plugin ${command} printed no JSON`, { cause });
  }
  if (credential.kind !== "ExecCredential" || credential.apiVersion !== apiVersion)
    throw new Error(
      `the credential plugin ${command} is configured for ${apiVersion}, but printed ${credential.apiVersion ?? "nothing of that kind"}`,
    );
  return credential;
}

function identityOf({ status }: ExecCredential, command: string): { identity: Identity; expiresAt: number } {
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status ?? {};
  if (!token && !cert && !key)
    throw new Error(`the credential plugin ${command} printed neither a token nor a certificate`);
  if (!cert !== !key) throw new Error(`the credential plugin ${command} printed only one of certificate and key`);
  const expiresAt = expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp);
  if (Number.isNaN(expiresAt))
    throw new Error(`the credential plugin ${command} printed an expirationTimestamp that is no time`);
  return {
    expiresAt,
    identity: {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(cert && key && { certificate: { cert, key } }),
    },
  };
}

/** Without control characters that could change a terminal's state. */
const printable = (text: string): string =>
  text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t\n\v\f\r]/gu,
    (char) => `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
  );
