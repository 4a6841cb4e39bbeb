/** How the YAML reader's error for duplicate keys begins. */
const yamlPrefix = /^(error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** Strict errors as warnings: the YAML reader's is one of several lines, each of which is a warning. */
export const strictWarnings = (errors: readonly string[]): string[] =>
  errors.flatMap((text) =>
    yamlPrefix.test(text)
      ? text
          .replace(yamlPrefix, "")
          .split("\n")
          .map((line) => line.trim())
      : [text],
  );
