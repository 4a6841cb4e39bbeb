import type { ProjectPlace } from "../project/subcommand.js";
import { checkTypes } from "./check-types.js";
import { generate } from "./generate-command.js";

/** What comes before a build or a test: the manifests, and the types where wanted. The number is the exit code; errors were printed. */
export async function generateAndCheck(
  place: ProjectPlace,
  { typeCheck }: { readonly typeCheck: boolean },
): Promise<number> {
  const code = generate(place, {});
  if (code !== 0 || !typeCheck) return code;
  const errors = await checkTypes(place.directory);
  if (errors === undefined) return 0;
  place.printError(errors);
  return 1;
}
