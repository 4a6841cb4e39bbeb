import type { ObservabilityOptions } from "@coxswain/apiserver";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";

/** What operators and browsers see of the server. */
export const observabilityFlags = defineFlags({
  "strict-transport-security-directives": {
    group: "Server",
    type: "strings",
    value: "directive,…",
    help: "For the Strict-Transport-Security header, such as max-age=31536000,includeSubDomains. Default: no such header.",
  },
  "cors-allowed-origins": {
    group: "Server",
    type: "strings",
    value: "pattern,…",
    help: "Origins whose scripts may use the API from a browser: regular expressions, each beginning with ^ or // and ending with $ or :[0-9]+ or so.",
  },
  profiling: {
    group: "Server",
    type: "boolean",
    default: true,
    help: "Serve /debug/pprof/ and /debug/flags/v to those who may see them.",
  },
  "enable-logs-handler": {
    group: "Server",
    type: "boolean",
    help: "Serve /var/log at /logs/ to those who may see it.",
  },
  "livez-grace-period": {
    group: "Server",
    type: "duration",
    default: "0s",
    help: "How long a server that is still starting counts as alive.",
  },
});

/** @throws FlagError */
export const observabilityFrom = (options: OptionsOf<typeof observabilityFlags>): ObservabilityOptions => ({
  strictTransportDirectives: options.strictTransportSecurityDirectives,
  allowedOrigins: checkOrigins(options.corsAllowedOrigins),
  profiling: options.profiling,
  ...(options.enableLogsHandler && { logDirectory: "/var/log" }),
  livezGraceMs: options.livezGracePeriod,
});

/** A pattern that matches in the middle of a name lets in more than its author thinks: upstream refuses those too. */
function checkOrigins(patterns: readonly string[]): readonly string[] {
  const open = patterns.find((pattern) => !/^(?:\^|\/\/|\(\?i\))/.test(pattern) || !/(?:\$|:\S+)$/.test(pattern));
  if (open !== undefined)
    throw new FlagError(
      `--cors-allowed-origins must pin the start of a host with ^ or // and its end with $ or a port: ${JSON.stringify(open)} does not`,
    );
  return patterns;
}
