import { isNotFound } from "@coxswain/apimachinery/status";
import { FlagError, formatHelp, parseFlags } from "@coxswain/component/flags";
import { parseToken, tokenNamespace, tokenSecretName } from "../join/bootstrap-token.js";
import { openCluster, tokenClusterFlags } from "./open-cluster.js";

export async function runTokenDelete(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(tokenClusterFlags, args);
  if (parsed.kind === "help") {
    const usage = "coxswain token delete TOKEN… [flags]";
    process.stdout.write(
      formatHelp(tokenClusterFlags, { usage, description: "Deletes tokens with which machines join." }),
    );
    return 0;
  }
  const ids = parsed.rest.map(idOf);
  if (ids.length === 0) throw new FlagError("which token? coxswain token delete TOKEN…");
  const { client } = openCluster(parsed.options);
  try {
    for (const id of ids) {
      await client.core.v1.secrets(tokenNamespace).delete(tokenSecretName(id));
      process.stdout.write(`token ${id} deleted\n`);
    }
    return 0;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await client.close();
  }
}

/** @throws FlagError */
function idOf(text: string): string {
  if (/^[a-z0-9]{6}$/.test(text)) return text;
  const token = parseToken(text);
  if (!token) throw new FlagError(`${JSON.stringify(text)} is no token: abcdef, or abcdef.0123456789abcdef`);
  return token.id;
}
