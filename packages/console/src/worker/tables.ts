// For those who want live Tables without a page.
export type { StoredRow } from "./stored-row.js";
export { createTableStores, type TableStore, type TableStores } from "./table-store.js";
