import { largest } from "@coxswain/apimachinery/append";
import { formatTime } from "@coxswain/apimachinery/time";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { tokenNamespace, tokenRow, tokenType } from "../join/bootstrap-token.js";
import { openCluster, tokenClusterFlags } from "./open-cluster.js";

export async function runTokenList(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(tokenClusterFlags, args);
  if (parsed.kind === "help") {
    const usage = "coxswain token list [flags]";
    process.stdout.write(
      formatHelp(tokenClusterFlags, { usage, description: "Lists tokens with which machines join." }),
    );
    return 0;
  }
  const { client } = openCluster(parsed.options);
  try {
    const { items } = await client.core.v1.secrets(tokenNamespace).list({ fieldSelector: `type=${tokenType}` });
    const rows = items.flatMap((secret) => tokenRow(secret) ?? []);
    const cells = rows.map(({ token, expiresAt, usages, description, groups }) => [
      token,
      expiresAt === undefined ? "<forever>" : formatTime(expiresAt),
      usages.join(",") || "<none>",
      description || "<none>",
      groups || "<none>",
    ]);
    const table = [["TOKEN", "EXPIRES", "USAGES", "DESCRIPTION", "EXTRA GROUPS"], ...cells];
    const widths = table[0]?.map((_, at) => largest(table.map((row) => row[at]?.length ?? 0)) ?? 0) ?? [];
    for (const row of table)
      process.stdout.write(
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("   ")
          .trimEnd()}\n`,
      );
    return 0;
  } finally {
    await client.close();
  }
}
