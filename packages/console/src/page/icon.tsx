/** 16 × 16, drawn with the text's colour. */
const shapes = {
  search: "M7 2a5 5 0 1 0 3.1 8.9l3.5 3.5.8-.8-3.5-3.5A5 5 0 0 0 7 2Zm0 1.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6Z",
  menu: "M2 4h12v1.2H2zm0 3.4h12v1.2H2zm0 3.4h12V12H2z",
  clock:
    "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 1.2a5.3 5.3 0 1 1 0 10.6A5.3 5.3 0 0 1 8 2.7Zm-.6 2v3.6l2.8 1.7.6-1-2.2-1.3v-3z",
  moon: "M6.5 2A6 6 0 1 0 14 9.5 5 5 0 0 1 6.5 2Z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM7.4 1h1.2v2H7.4zm0 12h1.2v2H7.4zM1 7.4h2v1.2H1zm12 0h2v1.2h-2zM2.6 3.4l.8-.8 1.5 1.4-.9.9zm8.5 8.6.9-.9 1.4 1.5-.8.8zm.9-7.1-.9-.9 1.5-1.4.8.8zM3.4 13.4l-.8-.8L4 11.1l.9.9z",
  auto: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 1.2v9.6a4.8 4.8 0 0 1 0-9.6Z",
  close: "m3.8 3 4.2 4.2L12.2 3l.8.8L8.8 8l4.2 4.2-.8.8L8 8.8 3.8 13l-.8-.8L7.2 8 3 3.8z",
  user: "M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM2.5 14c0-3 2.4-5 5.5-5s5.5 2 5.5 5z",
} as const;

export const Icon = ({ name }: { readonly name: keyof typeof shapes }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
);
