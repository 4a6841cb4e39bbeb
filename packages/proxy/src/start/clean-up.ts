import { families } from "../addresses/family.js";
import { masqueradeTable } from "../masquerade/masquerade-table.js";
import type { Nft } from "../nft/run-nft.js";
import { policyTable } from "../policy/policy-layout.js";
import { wordsOf } from "../rules/table-settings.js";

/** Deletes every table of this proxy. Answers what could not be deleted. */
export async function cleanUp(nft: Nft): Promise<string[]> {
  const tables = [...families.map((family) => wordsOf(family).table), masqueradeTable, policyTable];
  const problems: string[] = [];
  for (const table of tables)
    try {
      // A table that is made in the same transaction can always be deleted.
      await nft.run(`add table ${table}\ndelete table ${table}\n`);
    } catch (error) {
      problems.push(`table ${table}: ${(error as Error).message}`);
    }
  return problems;
}
