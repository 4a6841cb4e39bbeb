/**
 * Patterns whose work grows faster than their text, or that cannot be read off the sources, and why their text is short.
 * `file`: the end of its path.
 */
export const allowedPatterns: readonly { readonly file: string; readonly pattern: string; readonly reason: string }[] =
  [
    {
      file: "regexp/unicode-ranges.ts",
      pattern: "new RegExp(`${property}+`)",
      reason: "the properties are a list of our own, the text is the Unicode table",
    },
    {
      file: "regexp/unicode-ranges.ts",
      pattern: "new RegExp(`^${property}$`)",
      reason: "the properties are a list of our own, the text is one character",
    },
    {
      file: "structural-schema/text-formats.ts",
      pattern: "new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`)",
      reason: "anchored, without a repetition beyond 12; the two parts are single characters of our own",
    },
    { file: "audit/legacy-line.ts", pattern: "/\\.?0*Z$/", reason: "a time that we wrote ourselves" },
    { file: "flow-control/dump-pages.ts", pattern: "/\\.?0*Z$/", reason: "a time that we wrote ourselves" },
    { file: "authentication/go-words.ts", pattern: "/\\.?0+$/", reason: "a time that we wrote ourselves" },
    {
      file: "registry/handlers/special-handlers.ts",
      pattern: "/([^ /]+)(?:\\/[^ ]+)? [^ ]+$/",
      reason: "the keys of a table in the same file",
    },
    {
      file: "metrics/protobuf.ts",
      pattern: '/(\\w+)="((?:[^"\\\\]|\\\\.)*)"/gs',
      reason: "labels that the registry wrote itself: every name is followed by a value, every quote is closed",
    },
    {
      file: "coxswain/src/apiserver/observability-flags.ts",
      pattern: "/(?:\\$|:\\S+)$/",
      reason: "a flag, set by the operator of the server",
    },
    {
      file: "cel/src/extensions/format-number.ts",
      pattern: "/\\B(?=(?:\\d{3})+$)/g",
      reason: "the digits of a number, of which there are 309 at most",
    },
    {
      file: "client/src/node/http/proxy.ts",
      pattern: "/^(\\[[^\\]]*\\]|[^:]*|.*:.*:.*)(?::(\\d+))?$/",
      reason: "NO_PROXY, set by the user of the client",
    },
  ];
