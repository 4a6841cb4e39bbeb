/** The functions that upstream's script records, in its order. */
export function recordedFunctions(legacyScript: string): string[] {
  const names = [...legacyScript.matchAll(/^\s*record_command (run_\w+)\s*$/gm)].map(([, name]) => name ?? "");
  return [...new Set(names)];
}

/** Functions that cannot pass here yet, each with the reason. They are run when they are named or with --all. */
export const leftOut: Readonly<Record<string, string>> = {
  run_multi_resources_tests: "fetches a file from the internet",
};

/** `pod`, `run_pod_tests` or `run_pod`: the function that is meant. Throws when there is none. */
export function functionNamed(word: string, functions: readonly string[]): string {
  const found = [word, `run_${word}`, `${word}_tests`, `run_${word}_tests`, `run_${word}_test`].find((name) =>
    functions.includes(name),
  );
  if (found === undefined)
    throw new Error(
      `no function is called ${word}; there are ${functions.map((name) => name.replace(/^run_|_tests?$/g, "")).join(", ")}`,
    );
  return found;
}
