// For those who want live Tables without a page.
export { createTableStores, type StoredRow, type TableStore, type TableStores } from "./table-store.js";
