export { type TableColumn, type TableRow, tableSource } from "./table-source.js";
