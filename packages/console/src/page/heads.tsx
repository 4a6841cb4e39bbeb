/** Titles of a table's columns; "" for one of buttons. On a narrow page they are hidden, and rows are paragraphs. */
export const Heads = ({ titles }: { readonly titles: readonly string[] }) => (
  <thead>
    <tr>
      {titles.map((title) => (
        <th key={title} scope="col">
          {title || <span class="hidden">Actions</span>}
        </th>
      ))}
    </tr>
  </thead>
);
